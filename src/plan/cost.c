#include "plan/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/cost_model.h"

/*
 * Poisson traffic, one line, one CPU. Looking back from a touch, the latest of the CPU's own touches and the
 * others' writes decides whether the line is still here; a line that neither happened to for the residence time
 * is gone. A write finds it exclusive when nobody else touched it since our last write, or when everyone had
 * lost it by the time we read it back.
 */
struct rs_line_odds rs_cost_odds(struct rs_traffic own, struct rs_traffic other, double residence)
{
	struct rs_line_odds odds = { .live = 1 };
	double all = own.touches + other.touches, reads = own.touches - own.writes;
	double silence = 0, kept, lost;

	if (!isinf(residence)) {
		odds.live = -expm1(-(own.touches + other.writes) * residence);
		silence = exp(-all * residence);
	}
	odds.coherence = other.writes / (own.touches + other.writes) * odds.live;
	odds.capacity = 1 - odds.live;
	kept = own.touches / all * (1 - silence);
	lost = (other.touches + own.touches * silence) / all; /* 1 - kept, exact where nobody else is there */
	odds.upgrade = 1 - odds.coherence - odds.capacity;
	if (own.writes > 0 || silence > 0)
		odds.upgrade -=
			kept * (own.writes + reads * silence) / (own.touches * lost + kept * own.writes);
	odds.upgrade = fmax(0, odds.upgrade);
	return odds;
}

struct rs_traffic rs_cost_traffic(const struct rs_cost_phase *phase, const double *rates,
				  const struct rs_line_touch *touch)
{
	struct rs_traffic traffic = { 0, 0 };

	for (size_t i = 0; i < phase->n_paths; i++) {
		size_t path = phase->paths[i];

		if (touch->counts[path])
			traffic.touches += rates[i];
		if (touch->counts[path] && touch->writes[path])
			traffic.writes += rates[i];
		if (touch->n_others) {
			traffic.touches += rates[i] * touch->other_touches[path];
			traffic.writes += rates[i] * touch->other_writes[path];
		}
	}
	return traffic;
}

struct rs_traffic rs_cost_rest(struct rs_traffic all, struct rs_traffic own)
{
	return (struct rs_traffic) { fmax(0, all.touches - own.touches), fmax(0, all.writes - own.writes) };
}

/*
 * The touches fall anywhere in the execution, independently: `count` of them cut it into count + 1 pieces of
 * equal mean, so each later touch follows the one before at a mean lag of duration / (count + 1). A foreign
 * write hits a lag d with probability w / (w + 1/d).
 */
double rs_cost_late_misses(unsigned count, double foreign_writes, double duration)
{
	double writes_meanwhile = foreign_writes * duration;

	if (count < 2 || writes_meanwhile <= 0)
		return 0;
	return (count - 1) / (1 + (count + 1) / writes_meanwhile);
}

/* Misses inside an execution. */
static double late_cost(const struct rs_cost *cost, const struct rs_cost_phase *phase,
			const struct rs_cpu_class *class, const struct rs_line_touch *touch,
			double foreign_writes)
{
	double misses = 0;

	if (foreign_writes <= 0)
		return 0;
	for (size_t i = 0; i < phase->n_paths; i++)
		if (touch->counts[phase->paths[i]] > 1 && class->rates[i] > 0 && phase->busy[i] > 0)
			misses += class->rates[i] * rs_cost_late_misses(touch->counts[phase->paths[i]],
									foreign_writes,
									phase->busy[i] / class->rates[i]);
	return misses * cost->binding->machine.t_coherence_ns;
}

/* What the record's own touches cost; neighbours only make traffic. */
static double phase_cost(const struct rs_cost *cost, const struct rs_cost_phase *phase,
			 const struct rs_line_touch *touch)
{
	const struct rs_machine *machine = &cost->binding->machine;
	struct rs_line_touch alone = { .counts = touch->counts, .writes = touch->writes };
	struct rs_traffic all = rs_cost_traffic(phase, phase->rates, touch);
	double sum = 0;

	if (all.touches <= 0)
		return 0;
	for (size_t k = 0; k < phase->n_classes; k++) {
		const struct rs_cpu_class *class = &phase->classes[k];
		struct rs_traffic paid = rs_cost_traffic(phase, class->rates, &alone), own = paid, other;
		struct rs_line_odds odds;

		if (paid.touches <= 0)
			continue;
		if (touch->n_others)
			own = rs_cost_traffic(phase, class->rates, touch);
		other = rs_cost_rest(all, own);
		odds = rs_cost_odds(own, other, class->residence);
		sum += class->n_cpus *
		       (paid.touches * (odds.coherence * machine->t_coherence_ns +
					odds.capacity * machine->t_memory_ns + machine->t_hit_ns) +
			paid.writes * odds.upgrade * machine->t_upgrade_ns +
			late_cost(cost, phase, class, touch, other.writes));
	}
	return sum;
}

double rs_cost_touch(const struct rs_cost *cost, const struct rs_line_touch *touch)
{
	double sum = 0;

	for (size_t f = 0; f < cost->n_phases; f++)
		sum += phase_cost(cost, &cost->phases[f], touch);
	return sum;
}

double rs_cost_line(const struct rs_cost *cost, const uint16_t *counts, const bool *writes)
{
	struct rs_line_touch touch = { .counts = counts, .writes = writes };

	return rs_cost_touch(cost, &touch);
}

uint64_t rs_cost_line_bytes_of(const struct rs_binding *binding)
{
	return (uint64_t)binding->machine.line_bytes << binding->machine.pair;
}

uint64_t rs_cost_line_bytes(const struct rs_cost *cost)
{
	return cost->line_bytes;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	return b ? greatest_common_divisor(b, a % b) : a;
}

/* The distance between possible base offsets: they are 0, one step, two steps … below a line. */
static uint64_t base_step(const struct rs_binding *binding, uint64_t size_bytes)
{
	const struct rs_placement *placement = &binding->placement;
	uint64_t step = binding->machine.line_bytes;

	if (placement->kind == RS_PLACE_ARRAY)
		step = size_bytes;
	else if (placement->kind == RS_PLACE_ALIGNED && placement->align_bytes)
		step = placement->align_bytes;
	return greatest_common_divisor(step, rs_cost_line_bytes_of(binding));
}

static size_t count_bases(const struct rs_binding *binding, uint64_t size_bytes)
{
	const struct rs_placement *placement = &binding->placement;

	if (placement->kind == RS_PLACE_EMBEDDED && placement->n_bases)
		return placement->n_bases;
	return (size_t)(rs_cost_line_bytes_of(binding) / base_step(binding, size_bytes));
}

static uint64_t base_at(const struct rs_binding *binding, uint64_t size_bytes, size_t index)
{
	const struct rs_placement *placement = &binding->placement;

	if (placement->kind == RS_PLACE_EMBEDDED && placement->n_bases)
		return placement->bases[index].base_bytes % rs_cost_line_bytes_of(binding);
	return base_step(binding, size_bytes) * index;
}

size_t rs_cost_bases_of(const struct rs_binding *binding, uint64_t size_bytes, struct rs_cost_base *ret_bases,
			size_t room)
{
	size_t count = count_bases(binding, size_bytes);

	for (size_t i = 0; i < count && i < room; i++)
		ret_bases[i] = (struct rs_cost_base) { base_at(binding, size_bytes, i), 1.0 / (double)count };
	return count;
}

void rs_cost_start_lines(const struct rs_cost *cost, struct rs_lines *lines, size_t index)
{
	const struct rs_placement *placement = &lines->binding->placement;

	if (placement->kind == RS_PLACE_EMBEDDED && placement->n_bases)
		rs_lines_start(lines, placement->bases[index].base_bytes % cost->line_bytes,
			       placement->bases[index].around);
	else
		rs_lines_start(lines, base_at(cost->binding, lines->size_bytes, index), NULL);
}

bool rs_cost_has_neighbours(const struct rs_cost *cost)
{
	const struct rs_placement *placement = &cost->binding->placement;

	for (size_t b = 0; placement->kind == RS_PLACE_EMBEDDED && b < placement->n_bases; b++)
		if (placement->bases[b].around)
			return true;
	return false;
}

size_t rs_cost_bases(const struct rs_cost *cost, uint64_t size_bytes, struct rs_cost_base *ret_bases,
		     size_t room)
{
	return rs_cost_bases_of(cost->binding, size_bytes, ret_bases, room);
}

double rs_cost_layout(const struct rs_cost *cost, const uint64_t *offset_bits, uint64_t size_bytes)
{
	size_t n_bases = count_bases(cost->binding, size_bytes);
	struct rs_line_touch touch;
	struct rs_lines lines;
	double sum = 0;

	rs_lines_init(&lines, cost->binding, cost->line_bytes, offset_bits, size_bytes);
	for (size_t b = 0; b < n_bases; b++) {
		rs_cost_start_lines(cost, &lines, b);
		while (rs_lines_next(&lines, &touch))
			sum += (double)touch.n_lines * rs_cost_touch(cost, &touch);
	}
	rs_lines_deinit(&lines);
	return sum / (double)n_bases;
}

size_t rs_cost_lines_of_path(const struct rs_cost *cost, size_t path, const uint64_t *offset_bits,
			     uint64_t size_bytes)
{
	size_t n_bases = count_bases(cost->binding, size_bytes), base = 0, count = 0;
	struct rs_line_touch touch;
	struct rs_lines lines;

	rs_lines_init(&lines, cost->binding, cost->line_bytes, offset_bits, size_bytes);
	do
		rs_cost_start_lines(cost, &lines, base);
	while (lines.around && !lines.around->runs[path] && ++base < n_bases);
	while (rs_lines_next(&lines, &touch))
		count += touch.counts[path] ? (size_t)touch.n_lines : 0;
	rs_lines_deinit(&lines);
	return count;
}

static bool runs_alike(const struct rs_binding *binding, const struct rs_cost_phase *phase, const double *rates,
		       size_t cpu)
{
	for (size_t i = 0; i < phase->n_paths; i++) {
		const struct rs_bound_path *path = &binding->paths[phase->paths[i]];

		if (rates[i] != path->rate * path->shares[cpu])
			return false;
	}
	return true;
}

static void add_cpu(struct rs_arena *arena, const struct rs_binding *binding, struct rs_cost_phase *phase,
		    size_t *capacity, size_t cpu)
{
	struct rs_cpu_class *class;
	double *rates;

	for (size_t k = 0; k < phase->n_classes; k++)
		if (runs_alike(binding, phase, phase->classes[k].rates, cpu)) {
			phase->classes[k].n_cpus++;
			return;
		}
	rates = rs_arena_array(arena, double, phase->n_paths);
	for (size_t i = 0; i < phase->n_paths; i++)
		rates[i] = binding->paths[phase->paths[i]].rate * binding->paths[phase->paths[i]].shares[cpu];
	class = rs_array_push(arena, phase->classes, phase->n_classes, *capacity);
	*class = (struct rs_cpu_class) { .n_cpus = 1, .residence = INFINITY, .rates = rates };
}

/* Paths that never run are left out: they cost nothing and make no traffic. */
static void init_phase(struct rs_arena *arena, const struct rs_binding *binding, size_t number,
		       struct rs_cost_phase *phase)
{
	size_t *paths = rs_arena_array(arena, size_t, binding->n_paths);
	double *rates = rs_arena_array(arena, double, binding->n_paths);
	double *busy = rs_arena_array(arena, double, binding->n_paths);
	size_t capacity = 0;

	for (size_t p = 0; p < binding->n_paths; p++) {
		const struct rs_bound_path *path = &binding->paths[p];

		if (path->phase != number || path->rate <= 0)
			continue;
		paths[phase->n_paths] = p;
		rates[phase->n_paths] = path->rate;
		busy[phase->n_paths++] = path->util / fmax(1, binding->instances);
	}
	phase->paths = paths;
	phase->rates = rates;
	phase->busy = busy;
	for (size_t c = 0; c < binding->n_cpus && phase->n_paths; c++)
		add_cpu(arena, binding, phase, &capacity, c);
}

/* Lines of the record as it stands, as one CPU of a class sees them. */
struct presence {
	double n_lines; /* of one instance, on average over the base offsets */
	double touches, foreign_writes;
};

static double count_resident(const struct presence *lines, size_t n_lines, double residence)
{
	double sum = 0;

	for (size_t i = 0; i < n_lines; i++) {
		double rate = lines[i].touches + lines[i].foreign_writes;

		sum += lines[i].n_lines * lines[i].touches / rate * -expm1(-rate * residence);
	}
	return sum;
}

/* The time after which an untouched line is evicted, such that just `room` lines are in the cache. */
static double solve_residence(const struct presence *lines, size_t n_lines, double room)
{
	double low = 0, high = 0;

	if (count_resident(lines, n_lines, INFINITY) <= room)
		return INFINITY;
	for (size_t i = 0; i < n_lines; i++)
		high = fmax(high, 1 / lines[i].touches);
	while (count_resident(lines, n_lines, high) < room && !isinf(high))
		high *= 2;
	for (int step = 0; step < 200 && low < high; step++) {
		double middle = low + (high - low) / 2;

		if (count_resident(lines, n_lines, middle) < room)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static const struct rs_binding *standing(const struct rs_cost *cost)
{
	return cost->binding->as_it_stands ? cost->binding->as_it_stands : cost->binding;
}

/* A line that several elements of an array share is seen from each of them: each accounts for its part. */
static size_t collect_presence(const struct rs_cost *cost, const struct rs_cost_phase *phase,
			       const struct rs_cpu_class *class, struct rs_lines *lines,
			       struct presence *ret_lines)
{
	const struct rs_record *record = standing(cost)->record;
	size_t n_bases = count_bases(cost->binding, record->size_bytes), count = 0;
	struct rs_line_touch touch;

	for (size_t b = 0; b < n_bases; b++) {
		rs_cost_start_lines(cost, lines, b);
		while (rs_lines_next(lines, &touch)) {
			struct rs_traffic all = rs_cost_traffic(phase, phase->rates, &touch);
			struct rs_traffic own = rs_cost_traffic(phase, class->rates, &touch);

			if (own.touches > 0)
				ret_lines[count++] =
					(struct presence) { (double)touch.n_lines /
								    (double)(n_bases * (1 + touch.n_others)),
							    own.touches, rs_cost_rest(all, own).writes };
		}
	}
	return count;
}

static void init_residence(struct rs_cost *cost)
{
	const struct rs_binding *binding = standing(cost);
	const struct rs_record *record = binding->record;
	double room = binding->machine.cache_lines / fmax(1, binding->instances);
	uint64_t *offset_bits = (uint64_t *)rs_alloc((record->n_members + 1) * sizeof *offset_bits);
	struct presence *presence;
	struct rs_lines lines;

	for (size_t m = 0; m < record->n_members; m++)
		offset_bits[m] = record->members[m].offset_bits;
	rs_lines_init(&lines, binding, cost->line_bytes, offset_bits, record->size_bytes);
	presence = (struct presence *)rs_alloc(count_bases(cost->binding, record->size_bytes) *
					       lines.max_borders * sizeof *presence);
	for (size_t f = 0; f < cost->n_phases; f++)
		for (size_t k = 0; k < cost->phases[f].n_classes; k++) {
			struct rs_cpu_class *class = &cost->phases[f].classes[k];
			size_t count = collect_presence(cost, &cost->phases[f], class, &lines, presence);

			class->residence = solve_residence(presence, count, room);
		}
	rs_lines_deinit(&lines);
	free(presence);
	free(offset_bits);
}

struct rs_cost *rs_cost_create(struct rs_arena *arena, const struct rs_binding *binding)
{
	struct rs_cost *cost = rs_arena_new(arena, struct rs_cost);

	cost->binding = binding;
	cost->line_bytes = rs_cost_line_bytes_of(binding);
	cost->phases = rs_arena_array(arena, struct rs_cost_phase, binding->n_phases);
	for (size_t number = 0; number < binding->n_phases; number++) {
		init_phase(arena, binding, number, &cost->phases[cost->n_phases]);
		if (cost->phases[cost->n_phases].n_paths)
			cost->n_phases++;
	}
	if (binding->machine.cache_lines > 0 && binding->instances > 0)
		init_residence(cost);
	return cost;
}
