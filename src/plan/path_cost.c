#include "plan/path_cost.h"

#include <stdlib.h>
#include <string.h>

/* Who pays how much for one line, times its weight. */
struct bill {
	const struct rs_cost *cost;
	const struct rs_line_touch *touch;
	double weight;
	double *path_ns;
};

static double charge(const struct bill *bill, const struct rs_cost_phase *phase, size_t index, double rate,
		     const struct rs_line_odds *odds, double foreign_writes)
{
	const struct rs_machine *machine = &bill->cost->binding->machine;
	size_t path = phase->paths[index];
	double each = odds->coherence * machine->t_coherence_ns + odds->capacity * machine->t_memory_ns +
		      machine->t_hit_ns;

	if (bill->touch->writes[path])
		each += odds->upgrade * machine->t_upgrade_ns;
	if (phase->busy[index] > 0)
		each += machine->t_coherence_ns * rs_cost_late_misses(bill->touch->counts[path], foreign_writes,
								      phase->busy[index] / rate);
	return rate * each;
}

static void add_class(const struct bill *bill, const struct rs_cost_phase *phase,
		      const struct rs_cpu_class *class)
{
	struct rs_traffic own = rs_cost_traffic(phase, class->rates, bill->touch);
	struct rs_traffic other = rs_cost_rest(rs_cost_traffic(phase, phase->rates, bill->touch), own);
	struct rs_line_odds odds;

	if (own.touches <= 0)
		return;
	odds = rs_cost_odds(own, other, class->residence);
	for (size_t i = 0; i < phase->n_paths; i++)
		if (bill->touch->counts[phase->paths[i]] && class->rates[i] > 0)
			bill->path_ns[phase->paths[i]] +=
				bill->weight * class->n_cpus *
				charge(bill, phase, i, class->rates[i], &odds, other.writes);
}

void rs_path_cost_add_line(const struct rs_cost *cost, const struct rs_line_touch *touch, double weight,
			   double *add_ns)
{
	const struct bill bill = { .cost = cost, .touch = touch, .weight = weight, .path_ns = add_ns };

	for (size_t f = 0; f < cost->n_phases; f++)
		for (size_t k = 0; k < cost->phases[f].n_classes; k++)
			add_class(&bill, &cost->phases[f], &cost->phases[f].classes[k]);
}

void rs_path_cost_compute(const struct rs_cost *cost, const uint64_t *offset_bits, uint64_t size_bytes,
			  double *ret_path_ns)
{
	size_t n_bases = rs_cost_bases(cost, size_bytes, NULL, 0);
	struct rs_cost_base *bases = (struct rs_cost_base *)rs_alloc(n_bases * sizeof *bases);
	struct rs_line_touch touch;
	struct rs_lines lines;

	memset(ret_path_ns, 0, cost->binding->n_paths * sizeof *ret_path_ns);
	rs_cost_bases(cost, size_bytes, bases, n_bases);
	rs_lines_init(&lines, cost->binding, cost->line_bytes, offset_bits, size_bytes);
	for (size_t b = 0; b < n_bases; b++) {
		rs_cost_start_lines(cost, &lines, b);
		while (rs_lines_next(&lines, &touch))
			rs_path_cost_add_line(cost, &touch, bases[b].weight * (double)touch.n_lines,
					      ret_path_ns);
	}
	rs_lines_deinit(&lines);
	free(bases);
}
