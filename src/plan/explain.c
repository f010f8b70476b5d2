#include "plan/explain.h"

#include <string.h>

#include "plan/path_cost.h"
#include "plan/permit.h"
#include "plan/place.h"
#include "record/layout.h"

/* --- where it lies --- */

static uint64_t first_base(const struct rs_explain_subject *subject, uint64_t size_bytes)
{
	struct rs_cost_base base = { 0, 1 };

	if (subject->cost)
		rs_cost_bases(subject->cost, size_bytes, &base, 1);
	return base.offset_bytes;
}

/* What coherence moves at once is the cost's line; what reports call a line is the machine's. */
static uint64_t line_at(const struct rs_explain_subject *subject, uint64_t size_bytes, uint64_t bit)
{
	uint64_t line = subject->cost ? rs_cost_line_bytes(subject->cost) : subject->line_bytes;

	return (first_base(subject, size_bytes) + bit / 8) / line;
}

static uint64_t last_bit(const struct rs_explain_subject *subject, size_t member, uint64_t offset_bits)
{
	uint64_t size = subject->record->members[member].size_bits;

	return offset_bits + (size ? size - 1 : 0);
}

/* --- what its lines cost --- */

struct explaining {
	struct rs_arena *arena;
	const struct rs_explain_subject *subject;
	const struct rs_explanation *explanation;
	const struct rs_lines *lines;
	uint16_t *counts;
	bool *writes;
	double *ns;
};

static bool is_inside(const struct explaining *explaining, size_t member)
{
	size_t own = explaining->explanation->member;

	return member >= own && member <= own + explaining->subject->record->members[own].n_inside;
}

/* A path that names fields of containers runs on objects in those only. */
static bool runs_here(const struct rs_lines *lines, size_t path)
{
	return !lines->around || lines->around->runs[path];
}

/* Fields of the container are company, too. */
static void add_outside(const struct explaining *explaining, const struct rs_line_touch *touch)
{
	const struct rs_around *around = explaining->lines->around;

	for (size_t i = 0; around && i < around->n_accesses; i++) {
		const struct rs_outside_access *access = &around->accesses[i];

		if (!rs_lines_holds_outside(explaining->lines, access->member, touch->first))
			continue;
		explaining->counts[access->path]++;
		explaining->writes[access->path] |= access->writes;
	}
}

/* The touches of the line by the member's own accesses, or by all others; neighbours in an array stay. */
static void price_part(const struct explaining *explaining, const struct rs_line_touch *touch, bool own,
		       double *ret_ns)
{
	const struct rs_binding *binding = explaining->subject->binding;
	struct rs_line_touch part = *touch;

	memset(ret_ns, 0, binding->n_paths * sizeof *ret_ns);
	for (size_t p = 0; p < binding->n_paths; p++) {
		const struct rs_bound_path *path = &binding->paths[p];

		explaining->counts[p] = 0;
		explaining->writes[p] = false;
		for (size_t i = 0; runs_here(explaining->lines, p) && i < path->n_accesses; i++) {
			size_t member = path->accesses[i].member;

			if (is_inside(explaining, member) != own ||
			    !rs_lines_holds(explaining->lines, member, touch->first))
				continue;
			explaining->counts[p]++;
			explaining->writes[p] |= path->accesses[i].writes;
		}
	}
	if (!own)
		add_outside(explaining, touch);
	part.counts = explaining->counts;
	part.writes = explaining->writes;
	if (own)
		part.n_others = 0;
	rs_path_cost_add_line(explaining->subject->cost, &part, 1, ret_ns);
}

static void list_paths(const struct explaining *explaining, const struct rs_line_touch *touch,
		       struct rs_explain_line *line)
{
	size_t n_paths = explaining->subject->binding->n_paths;
	struct rs_explain_path *paths = rs_arena_array(explaining->arena, struct rs_explain_path, n_paths);
	double *with = explaining->ns, *without = with + n_paths, *alone = without + n_paths;
	double weight = (double)touch->n_lines;

	memset(with, 0, n_paths * sizeof *with);
	rs_path_cost_add_line(explaining->subject->cost, touch, 1, with);
	price_part(explaining, touch, false, without);
	price_part(explaining, touch, true, alone);
	for (size_t p = 0; p < n_paths; p++)
		if (with[p] > 0)
			paths[line->n_paths++] =
				(struct rs_explain_path) { p, weight * with[p], weight * without[p],
							   weight * alone[p] };
	line->paths = paths;
}

static bool is_listed(const size_t *members, size_t count, size_t member)
{
	for (size_t i = 0; i < count; i++)
		if (members[i] == member)
			return true;
	return false;
}

static void list_company(const struct explaining *explaining, const struct rs_line_touch *touch,
			 struct rs_explain_line *line)
{
	const struct rs_binding *binding = explaining->subject->binding;
	size_t *company = rs_arena_array(explaining->arena, size_t, explaining->subject->record->n_members);

	for (size_t p = 0; p < binding->n_paths; p++)
		for (size_t i = 0; binding->paths[p].rate > 0 && i < binding->paths[p].n_accesses; i++) {
			size_t member = binding->paths[p].accesses[i].member;

			if (!is_inside(explaining, member) &&
			    rs_lines_holds(explaining->lines, member, touch->first) &&
			    !is_listed(company, line->n_company, member))
				company[line->n_company++] = member;
		}
	line->company = company;
}

static void list_outsiders(const struct explaining *explaining, const struct rs_line_touch *touch,
			   struct rs_explain_line *line)
{
	const struct rs_around *around = explaining->lines->around;
	size_t *seen, n_seen = 0, capacity = 0;
	const char **names = NULL;

	if (!around)
		return;
	seen = rs_arena_array(explaining->arena, size_t, around->n_accesses);
	for (size_t i = 0; i < around->n_accesses; i++) {
		size_t member = around->accesses[i].member;

		if (!rs_lines_holds_outside(explaining->lines, member, touch->first) ||
		    is_listed(seen, n_seen, member))
			continue;
		seen[n_seen++] = member;
		*rs_array_push(explaining->arena, names, line->n_outsiders, capacity) =
			rs_arena_printf(explaining->arena, "%s.%s", around->container->name,
					around->container->members[member].path);
	}
	line->outsiders = names;
}

static void list_lines(struct rs_arena *arena, const struct rs_explain_subject *subject,
		       struct rs_explanation *explanation)
{
	size_t n_paths = subject->binding->n_paths, capacity = 0;
	struct rs_explain_line *found = NULL;
	struct rs_lines lines;
	struct rs_line_touch touch;
	struct explaining explaining = {
		.arena = arena, .subject = subject, .explanation = explanation, .lines = &lines
	};

	explaining.counts = rs_arena_array(arena, uint16_t, n_paths);
	explaining.writes = rs_arena_array(arena, bool, n_paths);
	explaining.ns = rs_arena_array(arena, double, 3 * n_paths);
	rs_lines_init(&lines, subject->binding, rs_cost_line_bytes(subject->cost), subject->offset_bits,
		      subject->size_bytes);
	rs_cost_start_lines(subject->cost, &lines, 0);
	while (rs_lines_next(&lines, &touch)) {
		struct rs_explain_line *line;

		if (touch.is_outside || touch.first > explanation->last_line ||
		    touch.first + touch.n_lines <= explanation->first_line)
			continue;
		line = rs_array_push(arena, found, explanation->n_lines, capacity);
		*line = (struct rs_explain_line) { .line = touch.first, .n_lines = touch.n_lines };
		list_company(&explaining, &touch, line);
		list_outsiders(&explaining, &touch, line);
		list_paths(&explaining, &touch, line);
	}
	rs_lines_deinit(&lines);
	explanation->lines = found;
}

static const double *price_layout(struct rs_arena *arena, const struct rs_explain_subject *subject,
				  const uint64_t *offset_bits, uint64_t size_bytes)
{
	double *ns;

	if (!subject->cost)
		return NULL;
	ns = rs_arena_array(arena, double, subject->binding->n_paths);
	rs_path_cost_compute(subject->cost, offset_bits, size_bytes, ns);
	return ns;
}

void rs_explain_member(struct rs_arena *arena, const struct rs_explain_subject *subject, size_t member,
		       struct rs_explanation *ret_explanation)
{
	struct rs_explanation explanation = { .member = member, .offset_bits = subject->offset_bits[member] };

	explanation.first_line = line_at(subject, subject->size_bytes, explanation.offset_bits);
	explanation.last_line =
		line_at(subject, subject->size_bytes, last_bit(subject, member, explanation.offset_bits));
	if (subject->cost)
		list_lines(arena, subject, &explanation);
	explanation.path_ns = price_layout(arena, subject, subject->offset_bits, subject->size_bytes);
	*ret_explanation = explanation;
}

/* --- where it could lie --- */

struct moving {
	struct rs_arena *arena;   /* of the result */
	struct rs_arena *scratch; /* of one trial */
	const struct rs_explain_subject *subject;
	size_t member;
	size_t first, n; /* the run of units that moves, in the order */
	size_t *order;   /* on trial */
	struct rs_explain_move *moves;
	size_t n_moves, capacity;
};

static bool follows_always(const struct rs_explain_subject *subject, size_t unit, size_t other)
{
	for (size_t i = 0; i < rs_permit_count(subject->record, subject->binding); i++) {
		const struct rs_constraint *constraint = rs_permit_get(subject->record, subject->binding, i);

		if (constraint->kind == RS_KEEP_NEXT && constraint->unit == unit && constraint->other == other)
			return true;
	}
	return false;
}

/* The unit with those that always stand beside it. */
static void find_run(struct moving *moving)
{
	const struct rs_explain_subject *subject = moving->subject;
	const size_t *order = subject->order;
	size_t n_units = subject->record->n_units, end;

	while (order[moving->first] != subject->record->members[moving->member].unit)
		moving->first++;
	for (end = moving->first + 1; end < n_units && follows_always(subject, order[end - 1], order[end]);)
		end++;
	while (moving->first > 0 && follows_always(subject, order[moving->first - 1], order[moving->first]))
		moving->first--;
	moving->n = end - moving->first;
}

/* The order with the run behind so many of the others. */
static void put_run(const struct moving *moving, size_t n_before)
{
	const size_t *order = moving->subject->order;
	size_t n_rest = moving->subject->record->n_units - moving->n, count = 0;

	for (size_t i = 0; i <= n_rest; i++) {
		for (size_t k = 0; i == n_before && k < moving->n; k++)
			moving->order[count++] = order[moving->first + k];
		if (i < n_rest)
			moving->order[count++] = order[i < moving->first ? i : i + moving->n];
	}
}

static struct rs_explain_move *find_move(const struct moving *moving, uint64_t line)
{
	for (size_t i = 0; i < moving->n_moves; i++)
		if (moving->moves[i].line == line)
			return &moving->moves[i];
	return NULL;
}

static bool is_better(const struct rs_explain_move *a, const struct rs_explain_move *b)
{
	int cost = rs_score_compare_cost(a->cost_ns, b->cost_ns);

	if (!a->refusal != !b->refusal)
		return !a->refusal;
	return cost ? cost < 0 : a->size_bytes < b->size_bytes;
}

static void try_place(struct moving *moving, size_t n_before, uint64_t own_line)
{
	const struct rs_explain_subject *subject = moving->subject;
	uint64_t *offsets = rs_arena_array(moving->scratch, uint64_t, subject->record->n_members);
	struct rs_explain_move move = { .behind = n_before ? moving->order[n_before - 1] : RS_NONE }, *known;
	const char *refusal = NULL;

	rs_layout_compute(subject->record, moving->order, offsets, &move.size_bytes);
	move.offset_bits = offsets[moving->member];
	move.line = line_at(subject, move.size_bytes, move.offset_bits);
	if (move.line == own_line)
		return;
	if (subject->cost)
		move.cost_ns = rs_cost_layout(subject->cost, offsets, move.size_bytes);
	if (!rs_permit_check(moving->scratch, subject->record, subject->binding, moving->order, &refusal))
		move.refusal = rs_arena_strdup(moving->arena, refusal);
	known = find_move(moving, move.line);
	if (known && !is_better(&move, known))
		return;
	move.path_ns = price_layout(moving->arena, subject, offsets, move.size_bytes);
	if (!known)
		known = rs_array_push(moving->arena, moving->moves, moving->n_moves, moving->capacity);
	*known = move;
}

static void sort_moves(struct rs_explain_move *moves, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0 && moves[j].line < moves[j - 1].line; j--) {
			struct rs_explain_move later = moves[j - 1];

			moves[j - 1] = moves[j];
			moves[j] = later;
		}
}

void rs_explain_moves(struct rs_arena *arena, const struct rs_explain_subject *subject,
		      struct rs_explanation *explanation)
{
	struct moving moving = { .arena = arena, .subject = subject, .member = explanation->member };

	moving.order = rs_arena_array(arena, size_t, subject->record->n_units);
	find_run(&moving);
	for (size_t n = 0; n + moving.n <= subject->record->n_units; n++) {
		RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();

		if (n == moving.first)
			continue;
		moving.scratch = scratch;
		put_run(&moving, n);
		try_place(&moving, n, explanation->first_line);
	}
	sort_moves(moving.moves, moving.n_moves);
	explanation->moves = moving.moves;
	explanation->n_moves = moving.n_moves;
}
