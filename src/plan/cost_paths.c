#include "plan/cost_paths.h"

#include <string.h>

/* One line as the CPUs of one class meet it. */
struct meeting {
	const struct rs_cost *cost;
	const struct rs_cost_phase *phase;
	const struct rs_cpu_class *class;
	const struct rs_line_touch *touch;
	struct rs_line_odds odds;
	double foreign_writes;
};

/* What one CPU pays for the touches of the phase's path i. */
static double price_path(const struct meeting *meeting, size_t i)
{
	const struct rs_machine *machine = &meeting->cost->binding->machine;
	const struct rs_line_odds *odds = &meeting->odds;
	size_t path = meeting->phase->paths[i];
	double rate = meeting->class->rates[i], ns;

	ns = rate * (odds->coherence * machine->t_coherence_ns + odds->capacity * machine->t_memory_ns +
		     machine->t_hit_ns);
	if (meeting->touch->writes[path])
		ns += rate * odds->upgrade * machine->t_upgrade_ns;
	if (rate > 0 && meeting->phase->busy[i] > 0)
		ns += rate * machine->t_coherence_ns *
		      rs_cost_late_misses(meeting->touch->counts[path], meeting->foreign_writes,
					  meeting->phase->busy[i] / rate);
	return ns;
}

static void add_class(struct meeting *meeting, struct rs_traffic all, double *add_ns)
{
	const struct rs_line_touch *touch = meeting->touch;
	struct rs_line_touch alone = { .counts = touch->counts, .writes = touch->writes };
	struct rs_traffic paid = rs_cost_traffic(meeting->phase, meeting->class->rates, &alone);
	struct rs_traffic own = paid, other;

	if (paid.touches <= 0)
		return;
	if (touch->n_others)
		own = rs_cost_traffic(meeting->phase, meeting->class->rates, touch);
	other = rs_cost_rest(all, own);
	meeting->odds = rs_cost_odds(own, other, meeting->class->residence);
	meeting->foreign_writes = other.writes;
	for (size_t i = 0; i < meeting->phase->n_paths; i++)
		if (touch->counts[meeting->phase->paths[i]])
			add_ns[meeting->phase->paths[i]] += meeting->class->n_cpus * price_path(meeting, i);
}

void rs_cost_paths_touch(const struct rs_cost *cost, const struct rs_line_touch *touch, double *add_ns)
{
	for (size_t f = 0; f < cost->n_phases; f++) {
		const struct rs_cost_phase *phase = &cost->phases[f];
		struct rs_traffic all = rs_cost_traffic(phase, phase->rates, touch);

		for (size_t k = 0; k < phase->n_classes; k++) {
			struct meeting meeting = {
				.cost = cost, .phase = phase, .class = &phase->classes[k], .touch = touch
			};

			add_class(&meeting, all, add_ns);
		}
	}
}

/* Lines in a row that are alike count as often as there are of them. */
static void add_line(const struct rs_cost *cost, const struct rs_line_touch *touch, double weight,
		     double *scratch, double *add_ns)
{
	memset(scratch, 0, cost->binding->n_paths * sizeof *scratch);
	rs_cost_paths_touch(cost, touch, scratch);
	for (size_t p = 0; p < cost->binding->n_paths; p++)
		add_ns[p] += weight * (double)touch->n_lines * scratch[p];
}

void rs_cost_paths_layout(const struct rs_cost *cost, const uint64_t *offset_bits, uint64_t size_bytes,
			  double *ret_ns)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	size_t n_paths = cost->binding->n_paths, n_bases = rs_cost_bases(cost, size_bytes, NULL, 0);
	struct rs_cost_base *bases = rs_arena_array(arena, struct rs_cost_base, n_bases);
	double *scratch = rs_arena_array(arena, double, n_paths);
	struct rs_line_touch touch;
	struct rs_lines lines;

	memset(ret_ns, 0, n_paths * sizeof *ret_ns);
	rs_cost_bases(cost, size_bytes, bases, n_bases);
	rs_lines_init(&lines, cost->binding, cost->line_bytes, offset_bits, size_bytes);
	for (size_t b = 0; b < n_bases; b++) {
		rs_cost_start_lines(cost, &lines, b);
		while (rs_lines_next(&lines, &touch))
			add_line(cost, &touch, bases[b].weight, scratch, ret_ns);
	}
	rs_lines_deinit(&lines);
}
