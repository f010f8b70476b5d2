#include "plan/sharing.h"

#include <stdlib.h>
#include <string.h>

/* One line under examination. */
struct view {
	const struct rs_cost *cost;
	const struct rs_lines *lines;
	const struct rs_line_touch *touch;
	const struct rs_cost_phase *phase;
	bool *writes_to; /* [p * n_paths + q] for the phase's paths: p writes something on the line that q uses
			  */
	bool *is_victim; /* one a member */
	bool *is_outside_victim; /* one a member of the container */
};

static bool overlap(const struct rs_lines *lines, size_t a, size_t b)
{
	const struct rs_member *members = lines->binding->record->members;
	uint64_t start_a = lines->offset_bits[a], start_b = lines->offset_bits[b];

	return a == b || (start_a < start_b + members[b].size_bits && start_b < start_a + members[a].size_bits);
}

static bool uses(const struct rs_lines *lines, const struct rs_bound_path *path, size_t member, uint64_t line)
{
	for (size_t i = 0; i < path->n_accesses; i++)
		if (overlap(lines, path->accesses[i].member, member) &&
		    rs_lines_holds(lines, path->accesses[i].member, line))
			return true;
	return false;
}

static bool writes_to(const struct view *view, const struct rs_bound_path *writer,
		      const struct rs_bound_path *user)
{
	uint64_t line = view->touch->first;

	for (size_t i = 0; i < writer->n_accesses; i++)
		if (writer->accesses[i].writes &&
		    rs_lines_holds(view->lines, writer->accesses[i].member, line) &&
		    uses(view->lines, user, writer->accesses[i].member, line))
			return true;
	return false;
}

/* The same through fields of the container. Both paths run in it. */
static bool writes_outside(const struct view *view, size_t writer, size_t user)
{
	const struct rs_around *around = view->lines->around;

	for (size_t i = 0; around && i < around->n_accesses; i++) {
		const struct rs_outside_access *written = &around->accesses[i];

		if (written->path != writer || !written->writes ||
		    !rs_lines_holds_outside(view->lines, written->member, view->touch->first))
			continue;
		for (size_t j = 0; j < around->n_accesses; j++)
			if (around->accesses[j].path == user && around->accesses[j].member == written->member)
				return true;
	}
	return false;
}

static void find_writes_to(struct view *view)
{
	const struct rs_cost_phase *phase = view->phase;
	const struct rs_bound_path *paths = view->cost->binding->paths;

	for (size_t p = 0; p < phase->n_paths; p++)
		for (size_t q = 0; q < phase->n_paths; q++)
			view->writes_to[p * phase->n_paths + q] =
				view->touch->writes[phase->paths[p]] && view->touch->counts[phase->paths[q]] &&
				(writes_to(view, &paths[phase->paths[p]], &paths[phase->paths[q]]) ||
				 writes_outside(view, phase->paths[p], phase->paths[q]));
}

/* The other CPUs' rate of paths that write what path i uses or, with_users, that use what path i writes. */
static double related_rate(const struct view *view, const struct rs_cpu_class *class, size_t i, bool with_users)
{
	const struct rs_cost_phase *phase = view->phase;
	double sum = 0;

	for (size_t j = 0; j < phase->n_paths; j++)
		if (view->writes_to[with_users ? i * phase->n_paths + j : j * phase->n_paths + i])
			sum += phase->rates[j] - class->rates[j];
	return sum > 0 ? sum : 0;
}

static double hit_share(double foreign, double own)
{
	return foreign > 0 ? foreign / (foreign + own) : 0;
}

static double min(double a, double b)
{
	return a < b ? a : b;
}

/*
 * One path on one CPU. A miss is true sharing as far as the foreign writes to what the path itself uses would
 * have caused it alone; an upgrade as far as the foreign touches come from users of what the path writes.
 */
static void add_path(const struct view *view, const struct rs_cpu_class *class, size_t i, struct rs_traffic own,
		     struct rs_traffic other, struct rs_line_report *report)
{
	const struct rs_machine *machine = &view->cost->binding->machine;
	struct rs_line_odds odds = rs_cost_odds(own, other, class->residence);
	size_t path = view->phase->paths[i];
	unsigned count = view->touch->counts[path];
	double rate = class->rates[i], duration = view->phase->busy[i] / rate;
	double true_writes = min(related_rate(view, class, i, false), other.writes);
	double misses = odds.coherence + rs_cost_late_misses(count, other.writes, duration);
	double true_misses = hit_share(true_writes, own.touches) * odds.live +
			     rs_cost_late_misses(count, true_writes, duration);
	double all_ns = misses * machine->t_coherence_ns, true_ns = true_misses * machine->t_coherence_ns;

	if (view->touch->writes[path] && other.touches > 0) {
		double upgrade_ns = odds.upgrade * machine->t_upgrade_ns;

		all_ns += upgrade_ns;
		true_ns += upgrade_ns * min(1, related_rate(view, class, i, true) / other.touches);
	}
	report->true_ns += class->n_cpus * rate * true_ns;
	report->false_ns += class->n_cpus * rate * (all_ns - min(true_ns, all_ns));
}

static void mark_victims(const struct view *view, size_t number)
{
	const struct rs_bound_path *path = &view->cost->binding->paths[number];
	const struct rs_around *around = view->lines->around;

	for (size_t i = 0; around && i < around->n_accesses; i++)
		if (around->accesses[i].path == number)
			view->is_outside_victim[around->accesses[i].member] = true;
	for (size_t i = 0; i < path->n_accesses; i++)
		if (rs_lines_holds(view->lines, path->accesses[i].member, view->touch->first))
			view->is_victim[path->accesses[i].member] = true;
}

static void add_class(const struct view *view, const struct rs_cpu_class *class, struct rs_line_report *report)
{
	const struct rs_cost_phase *phase = view->phase;
	struct rs_traffic all = rs_cost_traffic(phase, phase->rates, view->touch);
	struct rs_traffic own = rs_cost_traffic(phase, class->rates, view->touch);
	struct rs_traffic other = rs_cost_rest(all, own);

	for (size_t i = 0; i < phase->n_paths; i++) {
		if (class->rates[i] <= 0 || !view->touch->counts[phase->paths[i]])
			continue;
		add_path(view, class, i, own, other, report);
		if (other.writes > 0)
			mark_victims(view, phase->paths[i]);
	}
}

static bool is_written(const struct view *view, size_t member)
{
	const struct rs_binding *binding = view->cost->binding;

	for (size_t p = 0; p < binding->n_paths; p++)
		for (size_t i = 0; i < binding->paths[p].n_accesses; i++)
			if (binding->paths[p].accesses[i].member == member &&
			    binding->paths[p].accesses[i].writes && binding->paths[p].rate > 0)
				return true;
	return false;
}

static void list_members(struct rs_arena *arena, const struct view *view, struct rs_line_report *report)
{
	size_t n_members = view->cost->binding->record->n_members;
	size_t *writers = rs_arena_array(arena, size_t, n_members);
	size_t *victims = rs_arena_array(arena, size_t, n_members);

	for (size_t m = 0; m < n_members; m++) {
		if (!rs_lines_holds(view->lines, m, report->line))
			continue;
		if (is_written(view, m))
			writers[report->n_writers++] = m;
		if (view->is_victim[m])
			victims[report->n_victims++] = m;
	}
	report->writers = writers;
	report->victims = victims;
}

static bool is_listed(const struct rs_around *around, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (around->accesses[i].member == around->accesses[index].member)
			return true;
	return false;
}

static struct rs_outsider make_outsider(struct rs_arena *arena, const struct view *view, size_t member)
{
	const struct rs_around *around = view->lines->around;
	struct rs_outsider outsider = {
		.name = rs_arena_printf(arena, "%s.%s", around->container->name,
					around->container->members[member].path),
		.is_victim = view->is_outside_victim[member],
	};

	for (size_t i = 0; i < around->n_accesses; i++)
		outsider.is_writer |= around->accesses[i].member == member && around->accesses[i].writes &&
				      view->cost->binding->paths[around->accesses[i].path].rate > 0;
	return outsider;
}

static void list_outsiders(struct rs_arena *arena, const struct view *view, struct rs_line_report *report)
{
	const struct rs_around *around = view->lines->around;
	struct rs_outsider *outsiders;

	if (!around)
		return;
	outsiders = rs_arena_array(arena, struct rs_outsider, around->n_accesses);
	for (size_t i = 0; i < around->n_accesses; i++)
		if (!is_listed(around, i) &&
		    rs_lines_holds_outside(view->lines, around->accesses[i].member, report->line))
			outsiders[report->n_outsiders++] =
				make_outsider(arena, view, around->accesses[i].member);
	report->outsiders = outsiders;
}

static size_t count_outside_members(const struct rs_around *around)
{
	return around && around->container ? around->container->n_members : 0;
}

static void fill_report(struct rs_arena *arena, struct view *view, struct rs_line_report *report)
{
	const struct rs_cost *cost = view->cost;
	double n_lines = (double)view->touch->n_lines, touches = 0, writes = 0;

	memset(view->is_victim, 0, cost->binding->record->n_members * sizeof *view->is_victim);
	memset(view->is_outside_victim, 0,
	       count_outside_members(view->lines->around) * sizeof *view->is_outside_victim);
	*report = (struct rs_line_report) { .line = view->touch->first, .n_lines = view->touch->n_lines };
	for (size_t f = 0; f < cost->n_phases; f++) {
		struct rs_traffic all;

		view->phase = &cost->phases[f];
		all = rs_cost_traffic(view->phase, view->phase->rates, view->touch);
		touches += all.touches;
		writes += all.writes;
		find_writes_to(view);
		for (size_t k = 0; k < view->phase->n_classes; k++)
			add_class(view, &view->phase->classes[k], report);
	}
	report->cost_ns = n_lines * rs_cost_touch(cost, view->touch);
	report->true_ns *= n_lines;
	report->false_ns *= n_lines;
	report->write_share = touches > 0 ? writes / touches : 0;
	list_members(arena, view, report);
	list_outsiders(arena, view, report);
}

static bool is_touched(const struct rs_binding *binding, const struct rs_line_touch *touch)
{
	for (size_t p = 0; p < binding->n_paths; p++)
		if (touch->counts[p] && binding->paths[p].rate > 0)
			return true;
	return false;
}

struct rs_line_report *rs_cost_report(struct rs_arena *arena, const struct rs_cost *cost,
				      const uint64_t *offset_bits, uint64_t size_bytes, size_t *ret_count)
{
	const struct rs_binding *binding = cost->binding;
	struct rs_line_report *reports = NULL;
	size_t count = 0, capacity = 0;
	struct rs_line_touch touch;
	struct rs_lines lines;
	struct view view = { .cost = cost, .lines = &lines, .touch = &touch };

	view.writes_to = (bool *)rs_alloc(binding->n_paths * binding->n_paths + 1);
	view.is_victim = (bool *)rs_alloc(binding->record->n_members + 1);
	rs_lines_init(&lines, binding, cost->line_bytes, offset_bits, size_bytes);
	rs_cost_start_lines(cost, &lines, 0);
	view.is_outside_victim = (bool *)rs_alloc(count_outside_members(lines.around) + 1);
	while (rs_lines_next(&lines, &touch))
		if (!touch.is_outside && is_touched(binding, &touch))
			fill_report(arena, &view, rs_array_push(arena, reports, count, capacity));
	rs_lines_deinit(&lines);
	free(view.is_victim);
	free(view.is_outside_victim);
	free(view.writes_to);
	*ret_count = count;
	return reports;
}
