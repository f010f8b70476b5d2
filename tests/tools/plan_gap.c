/*
 * How near to the bound the best plan of one struct comes, by moves alone: what the code may hold beside the
 * struct's own text is not looked at, and a struct that is refused is tried as if it were not. One JSON object:
 * {"name", "size", "signatures", "touched": units, "classes", "original_ns", "best_ns", "bound_ns", "proven",
 * "refused"}; all with fields that the profile does not know left out.
 *
 * usage: plan_gap FILE STRUCT PROFILE SECONDS [FLAG...]
 * Exit status 0, or 3 when something cannot be read.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "plan/problem.h"

#include "tool.h"

struct task {
	const char *file, *name, *profile;
	double seconds;
	const char *const *flags;
	size_t n_flags;
};

static size_t count_touched_classes(const struct rs_problem *problem)
{
	size_t count = 0;

	for (size_t c = 0; c < problem->n_classes; c++)
		count += problem->atoms[problem->classes[c].atoms[0]].n_touches > 0;
	return count;
}

static void print_plans(struct rs_arena *arena, const struct task *task, const struct rs_record *record,
			const struct rs_binding *binding)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const struct rs_plan_options options = { .time_limit_s = task->seconds };
	const struct rs_cost *cost = rs_cost_create(arena, binding);
	struct rs_record open = *record;
	const struct rs_problem *problem;
	struct rs_json_writer json;
	struct rs_plan_set set;
	double best;

	open.n_pins = 0;
	problem = rs_problem_create(arena, &open, binding, cost, 0);
	rs_plan_optimize(arena, &open, binding, &options, &set);
	best = set.original.cost_ns;
	for (size_t i = 0; i < set.n_plans; i++)
		best = fmin(best, set.plans[i].cost_ns);
	rs_json_writer_init(&json, &out);
	rs_json_begin_object_compact(&json, NULL);
	rs_json_write_string(&json, "name", record->name);
	rs_json_write_uint(&json, "size", record->size_bytes);
	rs_json_write_uint(&json, "signatures", problem->n_signatures);
	rs_json_write_uint(&json, "touched", problem->n_touched);
	rs_json_write_uint(&json, "classes", count_touched_classes(problem));
	rs_json_write_double(&json, "original_ns", set.original.cost_ns);
	rs_json_write_double(&json, "best_ns", best);
	rs_json_write_double(&json, "bound_ns", set.lower_bound_ns);
	rs_json_write_bool(&json, "proven", set.proven);
	rs_json_write_bool(&json, "refused", rs_record_is_refused(record));
	rs_json_end_object(&json);
	fwrite(out.data, 1, out.length, stdout);
}

static struct rs_error *run(struct tool *tool, const struct task *task)
{
	const struct rs_record_query query = { .name = task->name };
	struct rs_profile profile;
	struct rs_binding binding;

	RS_TRY(rs_profile_read(tool->arena, &task->profile, 1, &profile));
	RS_TRY(tool_open(tool, task->file, task->flags, task->n_flags, &query));
	const struct rs_profile_struct *type = rs_profile_find(&profile, task->name);
	if (tool->n_records == 0 || !type)
		return rs_error_create(RS_ERROR_NOT_FOUND, task->file, 0, 0, "no struct '%s' in the %s",
				       task->name, type ? "file" : "profile");
	RS_TRY(rs_bind(tool->arena, &profile, type, tool->records[0], NULL, &tool->notes, &binding));
	print_plans(tool->arena, task, tool->records[0], &binding);
	return NULL;
}

int main(int argc, char **argv)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	if (argc < 5) {
		fputs("usage: plan_gap FILE STRUCT PROFILE SECONDS [FLAG...]\n", stderr);
		return 2;
	}
	const struct task task = { .file = argv[1],
				   .name = argv[2],
				   .profile = argv[3],
				   .seconds = strtod(argv[4], NULL),
				   .flags = (const char *const *)argv + 5,
				   .n_flags = (size_t)argc - 5 };
	struct tool tool = { .arena = arena };
	struct rs_error *error = run(&tool, &task);
	tool_close(&tool);
	return error ? tool_report(error) : 0;
}
