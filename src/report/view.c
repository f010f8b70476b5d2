#include "report/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* A top-level member with what it is sorted by. */
struct placed {
	uint64_t offset_bits;
	size_t member;
};

static int by_offset(const void *a, const void *b)
{
	const struct placed *left = (const struct placed *)a, *right = (const struct placed *)b;

	if (left->offset_bits != right->offset_bits)
		return left->offset_bits < right->offset_bits ? -1 : 1;
	return (left->member > right->member) - (left->member < right->member);
}

static void order_members(struct rs_view *view, struct rs_arena *arena)
{
	const struct rs_record *record = view->record;
	struct placed *placed = rs_arena_array(arena, struct placed, record->n_members);
	size_t *top = rs_arena_array(arena, size_t, record->n_members);

	for (size_t i = 0; i < record->n_members; i += 1 + record->members[i].n_inside)
		placed[view->n_top++] = (struct placed) { view->offset_bits[i], i };
	qsort(placed, view->n_top, sizeof *placed, by_offset);
	for (size_t i = 0; i < view->n_top; i++)
		top[i] = placed[i].member;
	view->top = top;
}

static void add_accesses(unsigned char *uses, const struct rs_bound_path *path)
{
	for (size_t i = 0; i < path->n_accesses; i++) {
		const struct rs_bound_access *access = &path->accesses[i];

		uses[access->member] |= (unsigned char)((access->reads ? RS_USE_READ : 0) |
							(access->writes ? RS_USE_WRITE : 0));
	}
}

/* What is said of an aggregate holds for all inside it; what is said inside shows on the aggregate. Members
 * stand depth first, so one pass down and one pass up are enough. */
static void spread_uses(const struct rs_record *record, unsigned char *uses)
{
	const unsigned char inherited = RS_USE_READ | RS_USE_WRITE;

	for (size_t i = 0; i < record->n_members; i++)
		if (record->members[i].parent != RS_NONE)
			uses[i] |= uses[record->members[i].parent] & inherited;
	for (size_t i = record->n_members; i-- > 0;)
		if (record->members[i].parent != RS_NONE)
			uses[record->members[i].parent] |= uses[i] & inherited;
}

static void find_uses(struct rs_view *view, struct rs_arena *arena)
{
	const struct rs_binding *binding = view->result->binding;
	unsigned char *uses = rs_arena_array(arena, unsigned char, view->record->n_members);

	view->uses = uses;
	if (!binding)
		return;
	for (size_t i = 0; i < binding->n_paths; i++)
		if (binding->paths[i].rate > 0)
			add_accesses(uses, &binding->paths[i]);
	for (size_t i = 0; i < view->record->n_members; i++)
		if (binding->heat[i].is_atomic)
			uses[i] |= RS_USE_ATOMIC;
	spread_uses(view->record, uses);
}

static int by_line(const void *a, const void *b)
{
	const struct rs_line_report *left = *(const struct rs_line_report *const *)a;
	const struct rs_line_report *right = *(const struct rs_line_report *const *)b;

	return (left->line > right->line) - (left->line < right->line);
}

static void sort_lines(struct rs_view *view, struct rs_arena *arena)
{
	const struct rs_line_report **lines =
		rs_arena_array(arena, const struct rs_line_report *, view->layout->n_lines);

	for (size_t i = 0; i < view->layout->n_lines; i++)
		lines[i] = &view->layout->lines[i];
	qsort(lines, view->layout->n_lines, sizeof *lines, by_line);
	view->lines = lines;
	view->n_lines = view->layout->n_lines;
}

static uint64_t first_base(const struct rs_record_result *result, uint64_t size_bytes)
{
	struct rs_cost_base base;

	if (!result->cost || rs_cost_bases(result->cost, size_bytes, &base, 1) == 0)
		return 0;
	return base.offset_bytes;
}

void rs_view_init(struct rs_view *view, struct rs_arena *arena, const struct rs_record_result *result,
		  const struct rs_plan_result *layout, unsigned line_bytes)
{
	if (layout->base)
		result = layout->base;
	*view = (struct rs_view) {
		.result = result,
		.record = result->record,
		.layout = layout,
		.offset_bits = layout->plan->offset_bits,
		.size_bytes = layout->plan->size_bytes,
		.line_bytes = line_bytes,
		.base_bytes = first_base(result, layout->plan->size_bytes),
	};
	order_members(view, arena);
	find_uses(view, arena);
	view->holes = rs_layout_holes(arena, view->record, view->offset_bits, view->size_bytes, &view->n_holes);
	sort_lines(view, arena);
}

uint64_t rs_view_line(const struct rs_view *view, uint64_t offset_bits)
{
	return (view->base_bytes + offset_bits / 8) / view->line_bytes;
}

uint64_t rs_view_first_line(const struct rs_view *view, size_t member)
{
	return rs_view_line(view, view->offset_bits[member]);
}

uint64_t rs_view_last_line(const struct rs_view *view, size_t member)
{
	uint64_t size_bits = view->record->members[member].size_bits;

	return rs_view_line(view, view->offset_bits[member] + (size_bits ? size_bits - 1 : 0));
}

uint64_t rs_view_count_lines(const struct rs_view *view)
{
	return view->size_bytes == 0 ? 0 : rs_view_line(view, view->size_bytes * 8 - 1) + 1;
}

double rs_view_false_ns(const struct rs_view *view)
{
	double sum = 0;

	for (size_t i = 0; i < view->n_lines; i++)
		sum += view->lines[i]->false_ns;
	return sum;
}

const struct rs_line_report *rs_view_find_line(const struct rs_view *view, uint64_t line)
{
	const struct rs_line_report key = { .line = line }, *wanted = &key;

	if (view->n_lines == 0)
		return NULL;
	const struct rs_line_report *const *found = (const struct rs_line_report *const *)bsearch(
		&wanted, view->lines, view->n_lines, sizeof *view->lines, by_line);
	return found ? *found : NULL;
}

/* A field of the container may be one. */
static bool has_writers(const struct rs_line_report *line)
{
	bool has_writer = line->n_writers > 0;

	for (size_t i = 0; i < line->n_outsiders; i++)
		has_writer |= line->outsiders[i].is_writer;
	return has_writer;
}

bool rs_view_is_shared(const struct rs_line_report *line)
{
	return has_writers(line) && (line->false_ns > 0 || line->true_ns > 0);
}

const char *rs_view_use_name(unsigned uses)
{
	static const char *const names[] = { "cold", "read", "write", "read-write" };

	return uses & RS_USE_ATOMIC ? "atomic" : names[uses & (RS_USE_READ | RS_USE_WRITE)];
}

const char *rs_view_member_name(const struct rs_member *member)
{
	if (member->path[0])
		return member->path;
	if (member->is_bitfield)
		return "(unnamed bit-field)";
	return member->is_union ? "(anonymous union)" : "(anonymous struct)";
}

const char *rs_view_path(const struct rs_result *result, const char *path)
{
	return result->root ? rs_path_below(path, result->root) : path;
}

const char *rs_view_source_path(const struct rs_result *result, const struct rs_source *source)
{
	const char *below = result->root ? rs_path_below(source->realpath, result->root) : source->realpath;

	return below == source->realpath ? source->path : below;
}
