/*
 * What a layout costs, in nanoseconds per unit of profile rate. The formula is that of docs/cost-model.md:
 * closed form, separable by cache line.
 */
#ifndef RS_PLAN_COST_H
#define RS_PLAN_COST_H

#include "profile/bind.h"

/* A binding made ready for evaluation: CPUs that behave alike are one class, residence time is solved. */
struct rs_cost;
/* binding must outlive the result; memory is arena's. */
struct rs_cost *rs_cost_create(struct rs_arena *arena, const struct rs_binding *binding);

/* A set of accesses on one line: for each path the number of its accessed members on the line and whether one
 * is written. counts[p] and writes[p] have n_paths entries. A member more can make a line cheaper: a reader
 * that becomes a writer fetches the line for writing at once, and company keeps a line from being evicted. */
double rs_cost_line(const struct rs_cost *cost, const uint16_t *counts, const bool *writes);
/* What a line is to rs_cost_line() and to the reports: the machine's line, twice that where adjacent lines are
 * fetched in pairs. Base offsets are below it. */
uint64_t rs_cost_line_bytes(const struct rs_cost *cost);
uint64_t rs_cost_line_bytes_of(const struct rs_binding *binding);
/* Whether fields of containers count, which only rs_cost_layout() and the reports know of. */
bool rs_cost_has_neighbours(const struct rs_cost *cost);
/* Cost of a layout: expectation over the placement's base offsets of the sum over lines. offset_bits has
 * an entry for each member of the record (rs_layout_compute()). In an array the neighbouring elements' traffic
 * on shared lines counts, and in a container its fields with all that it costs to touch them;
 * rs_cost_line() knows nothing of it. */
double rs_cost_layout(const struct rs_cost *cost, const uint64_t *offset_bits, uint64_t size_bytes);

/* The base offsets modulo the line and their weights (sum 1), for a record of this size; gives their number, of
 * which at most `room` are stored. */
struct rs_cost_base {
	uint64_t offset_bytes;
	double weight;
};
size_t rs_cost_bases_of(const struct rs_binding *binding, uint64_t size_bytes, struct rs_cost_base *ret_bases,
			size_t room);
size_t rs_cost_bases(const struct rs_cost *cost, uint64_t size_bytes, struct rs_cost_base *ret_bases,
		     size_t room);

/* Cache lines of a layout, for reports, at the first of the placement's base offsets. Lines that no path
 * touches are left out, and those that hold fields of its container only; lines in a row that hold the same
 * members are one entry, whose figures are their sum.
 */
struct rs_outsider {
	const char *name;          /* "rtable.rt_genid" */
	bool is_writer, is_victim; /* as below */
};
struct rs_line_report {
	uint64_t line;         /* number from the line that holds the record's first byte */
	uint64_t n_lines;      /* that are alike, from this one on; 1 but for the inside of large members */
	const size_t *writers; /* members that some path writes */
	size_t n_writers;
	const size_t *victims; /* members that a CPU uses and loses when another CPU writes on the line */
	size_t n_victims;
	const struct rs_outsider *outsiders; /* fields of the container on the line that paths touch */
	size_t n_outsiders;
	double cost_ns;
	double true_ns, false_ns; /* the coherence part of the cost (misses, upgrades), split as
				   * docs/cost-model.md states */
	double write_share;       /* of all accesses to the line */
};
struct rs_line_report *rs_cost_report(struct rs_arena *arena, const struct rs_cost *cost,
				      const uint64_t *offset_bits, uint64_t size_bytes, size_t *ret_count);
/* How many distinct lines one execution of the path touches, at the first base offset at which it runs. */
size_t rs_cost_lines_of_path(const struct rs_cost *cost, size_t path, const uint64_t *offset_bits,
			     uint64_t size_bytes);

#endif
