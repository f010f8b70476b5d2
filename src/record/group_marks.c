#include "record/group_marks.h"

#include <string.h>

static const char begin_prefix[] = "__cacheline_group_begin__", end_prefix[] = "__cacheline_group_end__";

/* What stands behind the prefix; NULL when the name has another one. */
static const char *name_behind(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

bool rs_group_marks_has_name(const char *name)
{
	return name_behind(name, begin_prefix) || name_behind(name, end_prefix);
}

struct marks {
	struct rs_pin_list *list;
	const struct rs_record *record;
	size_t *open; /* members that begin groups which have not ended */
	size_t n_open;
};

static const char *group_of(const struct marks *marks, size_t open)
{
	return name_behind(marks->record->members[marks->open[open]].name, begin_prefix);
}

static void report(const struct marks *marks, size_t member, const char *what, const char *group)
{
	const struct rs_member *own = &marks->record->members[member];

	rs_pin_add(marks->list, "group-marks", RS_PIN_ADVICE, own->unit, own->line, false,
		   "the cache-line group '%s' %s", group, what);
}

static void end_group(struct marks *marks, size_t member, const char *group)
{
	size_t at = marks->n_open;

	while (at > 0 && strcmp(group_of(marks, at - 1), group) != 0)
		at--;
	if (at == 0) {
		report(marks, member, "ends here and has not begun", group);
		return;
	}
	if (at < marks->n_open)
		report(marks, member, "ends inside one that began later", group);
	memmove(marks->open + at - 1, marks->open + at, (marks->n_open - at) * sizeof *marks->open);
	marks->n_open--;
}

void rs_group_marks_find(struct rs_pin_list *list, const struct rs_record *record)
{
	struct marks marks = { .list = list, .record = record };

	marks.open = rs_arena_array(list->arena, size_t, record->n_members);
	for (size_t m = 0; m < record->n_members; m++) {
		const char *begins = name_behind(record->members[m].name, begin_prefix);
		const char *ends = name_behind(record->members[m].name, end_prefix);

		if (begins)
			marks.open[marks.n_open++] = m;
		if (ends)
			end_group(&marks, m, ends);
	}
	for (size_t i = 0; i < marks.n_open; i++)
		report(&marks, marks.open[i], "begins here and does not end", group_of(&marks, i));
}
