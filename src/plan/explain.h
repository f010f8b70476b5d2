/*
 * Why a member lies where it does in a layout: what each path pays on its lines with it, without it and for it
 * alone, and what the layout would cost with the member elsewhere. A pure function, as the search is.
 */
#ifndef RS_PLAN_EXPLAIN_H
#define RS_PLAN_EXPLAIN_H

#include "plan/cost.h"

/* What one path pays for a line, in nanoseconds. What the company costs it, or saves it where it is negative,
 * is with_ns - without_ns - alone_ns. */
struct rs_explain_path {
	size_t path;       /* index in the binding */
	double with_ns;    /* as the line is */
	double without_ns; /* were the member not on it */
	double alone_ns;   /* had the member a line of its own */
};

/* A line that the member has a part in; lines in a row that hold the same accessed members are one entry, whose
 * figures are their sum. */
struct rs_explain_line {
	uint64_t line, n_lines;
	const size_t *company; /* other members there that some path uses */
	size_t n_company;
	const char *const *outsiders; /* fields of the container there that some path uses: "rtable.rt_genid" */
	size_t n_outsiders;
	const struct rs_explain_path *paths; /* those that touch the line */
	size_t n_paths;
};

/* The best place for the member on another line, all else in its order: the least cost, then bytes, among those
 * that are permitted; among all where none is. */
struct rs_explain_move {
	uint64_t line;
	size_t behind;       /* unit that it would follow; RS_NONE: it would come first */
	const char *refusal; /* why it may not stand there; NULL: it may */
	uint64_t offset_bits, size_bytes;
	double cost_ns;
	const double *path_ns; /* one a path: what it would pay for the whole layout; NULL without a profile */
};

struct rs_explanation {
	size_t member;
	uint64_t offset_bits, first_line, last_line;
	const struct rs_explain_line *lines; /* none without a profile */
	size_t n_lines;
	const double *path_ns;               /* one a path: what it pays for the whole layout; NULL likewise */
	const struct rs_explain_move *moves; /* by line; of lines that it can come to */
	size_t n_moves;
};

/* A layout to explain. */
struct rs_explain_subject {
	const struct rs_record *record;
	const struct rs_binding *binding; /* NULL without a profile */
	const struct rs_cost *cost;       /* likewise */
	const size_t *order;              /* of units */
	const uint64_t *offset_bits;      /* of members */
	uint64_t size_bytes;
	uint64_t line_bytes; /* what lines are without a profile */
};

/* Lines are those at the first of the placement's base offsets. Memory is arena's. */
void rs_explain_member(struct rs_arena *arena, const struct rs_explain_subject *subject, size_t member,
		       struct rs_explanation *ret_explanation);
/* Fills in the moves. */
void rs_explain_moves(struct rs_arena *arena, const struct rs_explain_subject *subject,
		      struct rs_explanation *explanation);

#endif
