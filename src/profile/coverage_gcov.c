#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "profile/coverage_internal.h"

static struct rs_error *find_number(const char *path, const struct rs_json *object, const char *key,
				    double *ret_number)
{
	const struct rs_json *value = rs_json_find(object, key);

	if (!value || value->kind != RS_JSON_NUMBER || value->number < 0)
		return rs_json_error(path, value ? value : object, false,
				     "expected \"%s\", a number that is not negative", key);
	*ret_number = value->number;
	return NULL;
}

static struct rs_error *find_string(const char *path, const struct rs_json *object, const char *key,
				    const char **ret_string)
{
	const struct rs_json *value = rs_json_find(object, key);

	if (!value || value->kind != RS_JSON_STRING)
		return rs_json_error(path, value ? value : object, false, "expected \"%s\", a string", key);
	*ret_string = value->string;
	return NULL;
}

static struct rs_error *find_array(const char *path, const struct rs_json *object, const char *key,
				   const struct rs_json **ret_first)
{
	const struct rs_json *value = rs_json_find(object, key);

	if (!value || value->kind != RS_JSON_ARRAY)
		return rs_json_error(path, value ? value : object, false, "expected \"%s\", an array", key);
	*ret_first = value->first;
	return NULL;
}

static struct rs_error *read_lines(struct rs_coverage *coverage, const char *path, const struct rs_json *object,
				   struct rs_coverage_file *file)
{
	const struct rs_json *line = NULL;

	RS_TRY(find_array(path, object, "lines", &line));
	for (; line; line = line->next) {
		double number = 0, count = 0;

		RS_TRY(find_number(path, line, "line_number", &number));
		RS_TRY(find_number(path, line, "count", &count));
		*rs_array_push(coverage->arena, file->lines, file->n_lines, file->lines_capacity) =
			(struct rs_coverage_line) { number < 1e9 ? (unsigned)number : 0, count };
	}
	file->is_sorted = false;
	return NULL;
}

static struct rs_error *read_functions(struct rs_coverage *coverage, const char *path,
				       const struct rs_json *object, struct rs_coverage_file *file)
{
	const struct rs_json *function = NULL;

	RS_TRY(find_array(path, object, "functions", &function));
	for (; function; function = function->next) {
		struct rs_coverage_entry *entry = rs_arena_new(coverage->arena, struct rs_coverage_entry);
		double line = 0;

		RS_TRY(find_string(path, function, "name", &entry->name));
		RS_TRY(find_number(path, function, "start_line", &line));
		RS_TRY(find_number(path, function, "execution_count", &entry->count));
		entry->line = line < 1e9 ? (unsigned)line : 0;
		entry->next = file->entries;
		file->entries = entry;
		coverage->n_functions++;
	}
	return NULL;
}

struct rs_error *rs_coverage_read_gcov(struct rs_coverage *coverage, const char *path,
				       const struct rs_json *root)
{
	const struct rs_json *object = NULL;
	const char *folder = "", *name = "";

	RS_TRY(find_string(path, root, "gcc_version", &coverage->version));
	RS_TRY(find_string(path, root, "current_working_directory", &folder));
	RS_TRY(find_array(path, root, "files", &object));
	for (; object; object = object->next) {
		RS_TRY(find_string(path, object, "file", &name));
		if (*name != '/')
			name = rs_arena_printf(coverage->arena, "%s/%s", folder, name);
		struct rs_coverage_file *file =
			rs_coverage_file_of(coverage, rs_path_canonical(coverage->arena, name));
		RS_TRY(read_functions(coverage, path, object, file));
		RS_TRY(read_lines(coverage, path, object, file));
	}
	return NULL;
}

static int compare_lines(const void *a, const void *b)
{
	const struct rs_coverage_line *x = (const struct rs_coverage_line *)a;
	const struct rs_coverage_line *y = (const struct rs_coverage_line *)b;

	return (x->line > y->line) - (x->line < y->line);
}

/* A line stands once for each function and unit that has code on it. */
static void settle(struct rs_coverage_file *file)
{
	size_t count = 0;

	if (file->is_sorted || file->n_lines == 0)
		return;
	qsort(file->lines, file->n_lines, sizeof *file->lines, compare_lines);
	for (size_t i = 0; i < file->n_lines; i++)
		if (count > 0 && file->lines[count - 1].line == file->lines[i].line)
			file->lines[count - 1].count += file->lines[i].count;
		else
			file->lines[count++] = file->lines[i];
	file->n_lines = count;
	file->is_sorted = true;
}

/* The part of a statement that stands on a line of its own has no count of its own: the lines around it tell.
 */
bool rs_coverage_count_gcov(struct rs_coverage *coverage, const struct rs_code_function *function,
			    const struct rs_code_place *place, double *ret_count)
{
	struct rs_coverage_file *file;
	size_t low = 0;

	HASH_FIND_STR(coverage->files, place->file, file);
	if (!file || file->n_lines == 0)
		return false;
	settle(file);
	for (size_t high = file->n_lines; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (file->lines[middle].line < place->line)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < file->n_lines && file->lines[low].line == place->line) {
		*ret_count = file->lines[low].count;
		return true;
	}
	double count = -1;
	if (low > 0 && file->lines[low - 1].line >= function->place.line)
		count = file->lines[low - 1].count;
	if (count >= 0 && low < file->n_lines && file->lines[low].count > count)
		count = file->lines[low].count;
	*ret_count = count;
	return count >= 0;
}

bool rs_coverage_entries_gcov(struct rs_coverage *coverage, const struct rs_code_function *function,
			      double *ret_count)
{
	struct rs_coverage_file *file;
	double count = 0;
	bool found = false;

	HASH_FIND_STR(coverage->files, function->place.file, file);
	for (const struct rs_coverage_entry *entry = file ? file->entries : NULL; entry; entry = entry->next)
		if (strcmp(entry->name, function->name) == 0) {
			count += entry->count;
			found = true;
		}
	*ret_count = count;
	return found;
}
