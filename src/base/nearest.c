#include "base/nearest.h"

#include <string.h>
#include <strings.h>

enum { LONGEST = 255 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: Damerau-Levenshtein in which no part is edited twice. Both names fit LONGEST. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][LONGEST + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_length; j++)
		above[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		size_t *free_row = before;
		before = above;
		above = row;
		row = free_row;
	}
	return above[b_length];
}

static bool is_last_part(const char *part, const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && *part && strcmp(dot + 1, part) == 0;
}

/* SIZE_MAX when the two are not near. */
static size_t nearness(const char *name, size_t length, const char *candidate)
{
	size_t candidate_length = strlen(candidate);
	size_t longer = length > candidate_length ? length : candidate_length;
	size_t limit = longer < 3 ? 1 : longer / 3;

	if (strcasecmp(name, candidate) == 0 || is_last_part(name, candidate) || is_last_part(candidate, name))
		return least(1, longer);
	if (longer > LONGEST || longer - least(length, candidate_length) > limit)
		return SIZE_MAX;
	size_t distance = edit_distance(name, length, candidate, candidate_length);
	return distance <= limit && distance < longer ? distance : SIZE_MAX;
}

const char *rs_nearest_name(const char *name, const char *const *candidates, size_t count)
{
	const char *nearest = NULL;
	size_t best = SIZE_MAX, length = strlen(name);

	for (size_t i = 0; i < count; i++) {
		size_t distance = nearness(name, length, candidates[i]);

		if (distance < best) {
			best = distance;
			nearest = candidates[i];
		}
	}
	return nearest;
}
