/*
 * Fast layout: where an atom lands and what it adds to the lines depends only on the phase it starts at, so
 * each (class, phase) is laid out once, by rs_layout_place(), and looked up from then on.
 *
 * An end is the number of bits so far and, above them, the state of bit-field joins (plan/joins.h) and of
 * companions (plan/companions.h) behind what is placed; it is stepped on by adding an advance. After a step
 * that is not permitted the state is a dead one, in which nothing more happens, and the size is beyond any
 * limit.
 */
#ifndef RS_PLAN_PLACE_H
#define RS_PLAN_PLACE_H

#include "plan/content.h"

/* One atom placed after an end. The line that this end lies on is the open line. */
struct rs_step {
	uint64_t advance;     /* from the end before to the end behind, modulo 2^64 */
	uint32_t n_crossed;   /* borders between lines that the end passes */
	struct rs_part first; /* what comes to the open line */
	struct rs_part last;  /* and to the line that is open afterwards, when a border was crossed */
	uint32_t n_first;     /* touches that begin on the open line, … */
	uint32_t n_inner;     /* … on it or on the lines between */
	double middle_ns;     /* cost of the lines between */
	bool is_known;
};

struct rs_score {
	double cost_ns; /* 0 without a profile */
	uint64_t size_bytes;
};

struct rs_place {
	const struct rs_problem *problem;
	struct rs_contents *contents;
	struct rs_arena *arena;
	uint64_t line_bits;
	uint64_t period_bits; /* after which phases repeat: line or largest alignment */
	unsigned unit_bits;   /* phases are multiples of it: 1 when there are bit-fields, else 8 */
	const struct rs_companions *companions; /* the problem's; NULL: none, or they are left aside */
	size_t n_join_states;
	size_t n_states; /* of joins times those of companions, and the dead one; 1 when every order will do */
	const struct rs_cost_base *bases; /* 0 is the only one when not separable */
	size_t n_bases;
	bool is_separable;        /* the cost is a sum over lines that do not depend on the size */
	struct rs_step ***tables; /* for each class and base that is its own twin: chunks; NULL until used */
	size_t *twins;            /* for each base the first that has the same remainder by every alignment */
	struct rs_seen *seen;     /* scores of layouts already costed, when not separable */
	size_t n_seen, n_seen_buckets;
	uint64_t *offset_bits;        /* scratch: n_members */
	size_t *unit_order;           /* scratch: n_units */
	uint32_t *signatures;         /* scratch */
	const struct rs_part **parts; /* scratch: n_atoms + 1 */
};

struct rs_place *rs_place_create(struct rs_arena *arena, const struct rs_problem *problem);
/* The same for the problem without companions. */
struct rs_place *rs_place_create_free(struct rs_arena *arena, const struct rs_problem *problem);
/* base: index. */
const struct rs_step *rs_place_step(struct rs_place *place, size_t class, uint64_t end, size_t base);
/* The end after the class's atom is laid out after another end. */
uint64_t rs_place_end(struct rs_place *place, size_t class, uint64_t end);
/* What an end consists of. */
uint64_t rs_place_bits(const struct rs_place *place, uint64_t end);
size_t rs_place_state(const struct rs_place *place, uint64_t end);
bool rs_place_is_dead(const struct rs_place *place, uint64_t end);
/* The record's size in bytes with this end. */
uint64_t rs_place_size(const struct rs_place *place, uint64_t end);
/* order: of atoms. */
struct rs_score rs_place_score(struct rs_place *place, const size_t *order);
/* Where each touch of the atom would begin and end, in bits from the line grid, if the atom came after phase
 * (below period_bits, a multiple of unit_bits) with the record's own start at `base`; gives the end's. */
uint64_t rs_place_spread(const struct rs_place *place, const struct rs_atom *atom, uint64_t phase, size_t base,
			 uint64_t *ret_starts, uint64_t *ret_ends);

/* Costs are equal when they differ by at most a billionth: <0, 0, >0. */
int rs_score_compare_cost(double a, double b);
/* Cost, then bytes. */
int rs_score_compare(struct rs_score a, struct rs_score b);

#endif
