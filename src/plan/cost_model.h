/*
 * The inside of struct rs_cost and the formula's probabilities, for the files that evaluate it: cost.c (the
 * figure) and sharing.c (the figure taken apart).
 */
#ifndef RS_PLAN_COST_MODEL_H
#define RS_PLAN_COST_MODEL_H

#include "plan/cost.h"
#include "plan/lines.h"

/* CPUs that run every path of a phase at the same rate. */
struct rs_cpu_class {
	double n_cpus;
	double residence;    /* how long an untouched line stays in the private cache; infinite when all fits */
	const double *rates; /* of one such CPU, for each path of the phase */
};

/* Paths that run at the same time. Phases do not see each other's traffic. */
struct rs_cost_phase {
	const size_t *paths; /* indices in the binding */
	size_t n_paths;
	const double *rates; /* of all CPUs, for each path of the phase */
	const double *busy;  /* for each path of the phase: a CPU's time inside it on one instance */
	struct rs_cpu_class *classes;
	size_t n_classes;
};

struct rs_cost {
	const struct rs_binding *binding;
	uint64_t line_bytes; /* what coherence moves at once: a line, or a pair of lines */
	struct rs_cost_phase *phases;
	size_t n_phases;
};

/* Touches and writes of a line per unit of time. */
struct rs_traffic {
	double touches, writes;
};

/* The parts of a touch's price. `upgrade` holds for writes only. */
struct rs_line_odds {
	double live;      /* the line was touched or invalidated before it would have been evicted */
	double coherence; /* another CPU wrote it since */
	double capacity;  /* it was evicted */
	double upgrade;   /* it is there, but shared */
};

/* What the record's own touches of the line cost; neighbours in an array only make traffic. One line, whatever
 * n_lines says. */
double rs_cost_touch(const struct rs_cost *cost, const struct rs_line_touch *touch);
/* Starts the lines at a base of the binding that they are of, which may be that of the record as it stands. */
void rs_cost_start_lines(const struct rs_cost *cost, struct rs_lines *lines, size_t base);
/* own: one CPU; other: all other CPUs together. own.touches is not 0. */
struct rs_line_odds rs_cost_odds(struct rs_traffic own, struct rs_traffic other, double residence);
/* What all CPUs, and one CPU of a class, do to a line, neighbours in an array included. */
struct rs_traffic rs_cost_traffic(const struct rs_cost_phase *phase, const double *rates,
				  const struct rs_line_touch *touch);
/* all minus own, never negative. */
struct rs_traffic rs_cost_rest(struct rs_traffic all, struct rs_traffic own);
/*
 * How many of the `count` touches that one execution makes miss because another CPU wrote in the middle of it.
 * foreign_writes: their rate; duration: of the execution.
 */
double rs_cost_late_misses(unsigned count, double foreign_writes, double duration);

#endif
