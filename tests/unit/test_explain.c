/*
 * What a layout's cost is made of, by path and by line, and what moving one member would cost.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "draw.h"
#include "make_record.h"
#include "plan/explain.h"
#include "plan/path_cost.h"
#include "plan/shrink.h"

enum { N_CASES = 300, N_UNITS = 7 };

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b))));
}

/* A random record of a few units and a random profile of it, in a random placement. */
struct sample {
	struct rs_arena *arena;
	struct make make;
	const struct rs_record *record;
	const struct rs_binding *binding;
	const struct rs_cost *cost;
	size_t order[N_UNITS];
};

static void add_paths(struct sample *sample)
{
	static const char *const kinds[] = { "r", "w", "rw" };
	unsigned n_paths = 1 + draw(4);

	for (unsigned p = 0; p < n_paths; p++) {
		make_path_on(&sample->make, rs_arena_printf(sample->arena, "p%u", p), 1 + draw(100), draw(3),
			     1 + draw(6));
		for (size_t m = 0; m < sample->record->n_members; m++)
			if (draw(2))
				make_access_member(&sample->make, m, kinds[draw(3)]);
	}
}

static void place(struct sample *sample)
{
	struct rs_placement *placement = &sample->make.binding.placement;
	unsigned kind = draw(3);

	if (kind == 1)
		*placement = (struct rs_placement) { .kind = RS_PLACE_ALIGNED, .align_bytes = 16 };
	if (kind == 2)
		*placement = (struct rs_placement) { .kind = RS_PLACE_ARRAY };
	sample->make.binding.machine.pair = draw(4) == 0;
	if (draw(2)) {
		sample->make.binding.machine.cache_lines = 100;
		sample->make.binding.instances = 1 + draw(400);
	}
}

static void start(struct sample *sample, unsigned seed)
{
	static const unsigned sizes[] = { 1, 2, 4, 8, 8, 8, 24, 40, 72, 160 };

	random_state = seed + 1;
	sample->arena = rs_arena_create();
	make_init(&sample->make, sample->arena, "sample");
	for (size_t u = 0; u < N_UNITS; u++) {
		unsigned size = sizes[draw(RS_COUNT_OF(sizes))];

		make_unit(&sample->make, 0);
		make_member(&sample->make, rs_arena_printf(sample->arena, "m%zu", u), size,
			    size < 8 ? size : 8);
		sample->order[u] = u;
	}
	for (size_t u = N_UNITS; u-- > 1;) {
		size_t other = draw((unsigned)u + 1), unit = sample->order[u];

		sample->order[u] = sample->order[other];
		sample->order[other] = unit;
	}
	sample->record = make_record(&sample->make);
	add_paths(sample);
	place(sample);
	sample->binding = make_binding(&sample->make);
	sample->cost = rs_cost_create(sample->arena, sample->binding);
}

static struct rs_explain_subject subject_of(const struct sample *sample, const struct rs_plan *plan)
{
	return (struct rs_explain_subject) { .record = sample->record,
					     .binding = sample->binding,
					     .cost = sample->cost,
					     .order = plan->order,
					     .offset_bits = plan->offset_bits,
					     .size_bytes = plan->size_bytes,
					     .line_bytes = 64 };
}

static void paths_pay_the_whole_cost(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < N_CASES; seed++) {
		struct sample sample = { 0 };
		struct rs_plan plan;
		double sum = 0, *ns;

		start(&sample, seed);
		rs_plan_from_order(sample.arena, sample.record, sample.cost, sample.order, &plan);
		ns = rs_arena_array(sample.arena, double, sample.binding->n_paths);
		rs_path_cost_compute(sample.cost, plan.offset_bits, plan.size_bytes, ns);
		for (size_t p = 0; p < sample.binding->n_paths; p++)
			sum += ns[p];
		assert_near(sum, plan.cost_ns);
		rs_arena_destroy(sample.arena);
	}
}

/* The line's cost by the cost model itself, for the member alone, for the others alone, or for both. */
static double price(const struct sample *sample, const struct rs_plan *plan, uint64_t line, size_t member,
		    bool own, bool others)
{
	uint16_t counts[MAKE_PATHS] = { 0 };
	bool writes[MAKE_PATHS] = { false };
	uint64_t bits = rs_cost_line_bytes(sample->cost) * 8;

	for (size_t p = 0; p < sample->binding->n_paths; p++)
		for (size_t i = 0; i < sample->binding->paths[p].n_accesses; i++) {
			const struct rs_bound_access *access = &sample->binding->paths[p].accesses[i];
			uint64_t first = plan->offset_bits[access->member];
			uint64_t last = first + sample->record->members[access->member].size_bits - 1;

			if (first / bits > line || last / bits < line ||
			    !(access->member == member ? own : others))
				continue;
			counts[p]++;
			writes[p] |= access->writes;
		}
	return rs_cost_line(sample->cost, counts, writes);
}

static void check_line(const struct sample *sample, const struct rs_plan *plan, size_t member,
		       const struct rs_explain_line *line)
{
	double with = 0, without = 0, alone = 0, n = (double)line->n_lines;

	for (size_t i = 0; i < line->n_paths; i++) {
		with += line->paths[i].with_ns;
		without += line->paths[i].without_ns;
		alone += line->paths[i].alone_ns;
	}
	assert_near(with, n * price(sample, plan, line->line, member, true, true));
	assert_near(without, n * price(sample, plan, line->line, member, false, true));
	assert_near(alone, n * price(sample, plan, line->line, member, true, false));
	for (size_t i = 0; i < line->n_company; i++)
		assert_true(line->company[i] != member);
}

/* In an array the neighbours' traffic counts, which rs_cost_line() knows nothing of. */
static void lines_are_priced_by_the_model(void **state)
{
	size_t n_checked = 0;

	(void)state;
	for (unsigned seed = 0; seed < N_CASES; seed++) {
		struct sample sample = { 0 };
		struct rs_plan plan;

		start(&sample, seed);
		rs_plan_from_order(sample.arena, sample.record, sample.cost, sample.order, &plan);
		for (size_t m = 0; m < N_UNITS && sample.binding->placement.kind != RS_PLACE_ARRAY; m++) {
			struct rs_explain_subject subject = subject_of(&sample, &plan);
			struct rs_explanation explanation;

			rs_explain_member(sample.arena, &subject, m, &explanation);
			for (size_t i = 0; i < explanation.n_lines; i++, n_checked++)
				check_line(&sample, &plan, m, &explanation.lines[i]);
		}
		rs_arena_destroy(sample.arena);
	}
	assert_true(n_checked > N_CASES);
}

/* The order with the unit at `from` put to `to`. */
static void move_unit(const size_t *order, size_t from, size_t to, size_t *ret_order)
{
	size_t count = 0, unit = order[from];

	for (size_t i = 0; i < N_UNITS; i++)
		if (i != from)
			ret_order[count++] = order[i];
	memmove(ret_order + to + 1, ret_order + to, (N_UNITS - 1 - to) * sizeof *ret_order);
	ret_order[to] = unit;
}

static const struct rs_explain_move *find_move(const struct rs_explanation *explanation, uint64_t line)
{
	for (size_t i = 0; i < explanation->n_moves; i++)
		if (explanation->moves[i].line == line)
			return &explanation->moves[i];
	return NULL;
}

static double sum_of(const double *ns, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += ns[i];
	return sum;
}

/* Every place of the member, permitted or not, is no better than what was said of its line. */
static void check_moves(struct sample *sample, const struct rs_plan *plan, size_t from,
			const struct rs_explanation *explanation)
{
	uint64_t bytes = rs_cost_line_bytes(sample->cost);

	for (size_t to = 0; to < N_UNITS; to++) {
		size_t order[N_UNITS];
		struct rs_plan moved;
		uint64_t line;

		move_unit(plan->order, from, to, order);
		rs_plan_from_order(sample->arena, sample->record, sample->cost, order, &moved);
		line = moved.offset_bits[explanation->member] / 8 / bytes;
		const struct rs_explain_move *move = find_move(explanation, line);
		bool permitted =
			rs_plan_is_permitted(sample->arena, sample->record, sample->binding, order, NULL);
		assert_int_equal(!move, line == explanation->first_line);
		if (move && permitted)
			assert_null(move->refusal);
		if (move && permitted == !move->refusal)
			assert_true(move->cost_ns <= moved.cost_ns * (1 + 1e-9));
		if (move)
			assert_near(move->cost_ns, sum_of(move->path_ns, sample->binding->n_paths));
	}
}

static void moves_are_the_best_of_their_line(void **state)
{
	size_t n_refused = 0, n_moves = 0;

	(void)state;
	for (unsigned seed = 0; seed < N_CASES; seed++) {
		struct sample sample = { 0 };
		struct rs_plan plan;
		size_t at = 0;

		start(&sample, seed);
		rs_plan_from_order(sample.arena, sample.record, sample.cost, sample.order, &plan);
		make_keep(&sample.make, RS_KEEP_BEFORE, plan.order[1], plan.order[4]);
		for (; at < N_UNITS; at++) {
			struct rs_explain_subject subject = subject_of(&sample, &plan);
			struct rs_explanation explanation;

			rs_explain_member(sample.arena, &subject, plan.order[at], &explanation);
			rs_explain_moves(sample.arena, &subject, &explanation);
			check_moves(&sample, &plan, at, &explanation);
			n_moves += explanation.n_moves;
			for (size_t i = 0; i < explanation.n_moves; i++)
				n_refused += explanation.moves[i].refusal != NULL;
		}
		rs_arena_destroy(sample.arena);
	}
	assert_true(n_refused > 0 && n_moves > n_refused);
}

/* The record itself is changed afterwards: the same cost model then sees the smaller member. */
static void check_shrunk(struct sample *sample, size_t from)
{
	struct rs_plan plan, moved;
	struct rs_shrunk shrunk;
	double least = INFINITY;
	uint64_t bytes = UINT64_MAX;

	rs_plan_from_order(sample->arena, sample->record, sample->cost, sample->order, &plan);
	struct rs_explain_subject subject = subject_of(sample, &plan);
	struct rs_shrink shrink = { .members = { plan.order[from] }, .bytes = { 4 }, .n_members = 1 };
	rs_shrink_try(sample->arena, &subject, &shrink, &shrunk);
	sample->make.members[plan.order[from]].size_bits = 32;
	sample->make.members[plan.order[from]].align_bytes = 4;
	for (size_t to = 0; to < N_UNITS; to++) {
		size_t order[N_UNITS];

		move_unit(plan.order, from, to, order);
		rs_plan_from_order(sample->arena, sample->record, sample->cost, order, &moved);
		if (moved.cost_ns < least * (1 - 1e-9) ||
		    (moved.cost_ns <= least * (1 + 1e-9) && moved.size_bytes < bytes)) {
			least = moved.cost_ns;
			bytes = moved.size_bytes;
		}
	}
	assert_near(shrunk.cost_ns, least);
	assert_int_equal(shrunk.size_bytes, bytes);
}

static void a_smaller_member_finds_its_place(void **state)
{
	size_t n_checked = 0;

	(void)state;
	for (unsigned seed = 0; seed < N_CASES; seed++) {
		struct sample sample = { 0 };
		size_t at = 0;

		start(&sample, seed);
		while (at < N_UNITS && sample.record->members[sample.order[at]].size_bits != 64)
			at++;
		if (at < N_UNITS)
			check_shrunk(&sample, at);
		n_checked += at < N_UNITS;
		rs_arena_destroy(sample.arena);
	}
	assert_true(n_checked > N_CASES / 2);
}

/* Two units that always stand together move together. */
static void a_run_moves_whole(void **state)
{
	struct sample sample = { 0 };
	struct rs_explain_subject subject;
	struct rs_explanation explanation;
	struct rs_plan plan;

	(void)state;
	sample.arena = rs_arena_create();
	make_init(&sample.make, sample.arena, "run");
	for (size_t u = 0; u < 4; u++) {
		make_unit(&sample.make, 0);
		make_member(&sample.make, rs_arena_printf(sample.arena, "m%zu", u), 32, 8);
		sample.order[u] = u;
	}
	make_keep(&sample.make, RS_KEEP_NEXT, 0, 1);
	sample.record = make_record(&sample.make);
	rs_plan_from_order(sample.arena, sample.record, NULL, sample.order, &plan);
	subject = subject_of(&sample, &plan);
	rs_explain_member(sample.arena, &subject, 1, &explanation);
	rs_explain_moves(sample.arena, &subject, &explanation);
	assert_int_equal(explanation.n_moves, 1);
	assert_int_equal(explanation.moves[0].line, 1);
	assert_int_equal(explanation.moves[0].behind, 2);
	assert_int_equal(explanation.moves[0].offset_bits, 64 * 8);
	assert_null(explanation.moves[0].refusal);
	rs_arena_destroy(sample.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_pay_the_whole_cost),
		cmocka_unit_test(lines_are_priced_by_the_model),
		cmocka_unit_test(moves_are_the_best_of_their_line),
		cmocka_unit_test(a_run_moves_whole),
		cmocka_unit_test(a_smaller_member_finds_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
