#include "plan/groups.h"

#include "plan/joins.h"

/* A seam parts two units of different groups, or joins them: a unit amid strangers makes two. */
enum { GROUP_SEAM_LINES = 3, SECTION_SEAM_LINES = 8, FIRST_UNIT_LINES = 8 };
/* Bit-fields are joined for bytes, not by chance: somebody has to look who writes them. */
enum { JOIN_SEAM_LINES = 6 };
/* A declaration that comes apart. */
enum { SPLIT_SEAM_LINES = 4 };

static bool splits(const struct rs_record *record, size_t unit, size_t follower)
{
	return record->units[unit].part + 1 < record->units[unit].n_parts && follower != unit + 1;
}

size_t rs_groups_weigh_pair(const struct rs_groups *groups, size_t unit, size_t follower)
{
	return (groups->groups[unit] != groups->groups[follower] ? GROUP_SEAM_LINES : 0) +
	       (groups->sections[unit] != groups->sections[follower] ? SECTION_SEAM_LINES : 0) +
	       (rs_joins_is_seam(groups->record, unit, follower) ? JOIN_SEAM_LINES : 0) +
	       (splits(groups->record, unit, follower) ? SPLIT_SEAM_LINES : 0);
}

size_t rs_groups_weigh_first(const struct rs_groups *groups, size_t unit)
{
	bool is_headless = !groups->has_heading && groups->sections[unit] != 0;

	return (unit != 0 ? FIRST_UNIT_LINES : 0) + (is_headless ? SECTION_SEAM_LINES : 0);
}

void rs_groups_find(struct rs_arena *arena, const struct rs_record *record, struct rs_groups *ret_groups)
{
	size_t *groups = rs_arena_array(arena, size_t, record->n_units);
	size_t *sections = rs_arena_array(arena, size_t, record->n_units);
	struct rs_groups found = {
		.n_units = record->n_units, .groups = groups, .sections = sections, .record = record
	};

	for (size_t u = 1; u < record->n_units; u++) {
		const struct rs_gap *gap = &record->gaps[u];
		bool is_section = gap->has_comment || gap->is_barrier;

		sections[u] = sections[u - 1] + is_section;
		groups[u] = groups[u - 1] + (is_section || gap->has_blank_line);
	}
	for (size_t u = 1; u < record->n_units; u++)
		found.original_weight += rs_groups_weigh_pair(&found, u - 1, u);
	found.has_heading = record->n_units && record->gaps[0].has_comment;
	*ret_groups = found;
}

size_t rs_groups_weigh(const struct rs_groups *groups, const size_t *order)
{
	size_t weight = groups->n_units ? rs_groups_weigh_first(groups, order[0]) : 0;

	for (size_t i = 1; i < groups->n_units; i++)
		weight += rs_groups_weigh_pair(groups, order[i - 1], order[i]);
	return weight - groups->original_weight;
}
