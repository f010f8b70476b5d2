/*
 * Members that must lie on one cache line wherever objects begin (RS_KEEP_ON_LINE).
 *
 * An order is walked atom by atom with a state: of which pairs one member is placed, the other one not yet. As
 * long as that is so, nothing may reach beyond the line that the first one lies on; so the state and the phase
 * of the end are all that decides whether the other one may still come, and searches that know an end know it
 * all. In an array whose elements share lines the base offsets depend on the size: there rs_companions_hold()
 * decides once it is known.
 */
#ifndef RS_PLAN_COMPANIONS_H
#define RS_PLAN_COMPANIONS_H

#include "plan/cost.h"

enum { RS_COMPANIONS_MOST_PAIRS = 4 };

struct rs_companions {
	const struct rs_record *record;
	uint64_t line_bytes;
	size_t members[RS_COMPANIONS_MOST_PAIRS][2];
	size_t n_pairs;
};

typedef uint32_t rs_companion_state; /* bit per pair of which one member is placed */
#define RS_COMPANIONS_NEVER UINT32_MAX

/* Top-level members that are laid out one after the other. */
struct rs_companion_run {
	const struct rs_member *const *tops;
	size_t n_tops;
	uint64_t end_bits; /* of what stands before them, from the record's start, modulo any multiple of lines
			    * and alignments */
	const struct rs_cost_base *bases;
	size_t n_bases;
};

/* The pairs of the constraints; NULL: there are none. Those beyond the most are left out: who adds constraints
 * sees to it that there are no more. */
const struct rs_companions *rs_companions_find(struct rs_arena *arena, const struct rs_record *record,
					       const struct rs_binding *binding);
/* The state behind the run; RS_COMPANIONS_NEVER when no order that goes on like this keeps the pairs. */
rs_companion_state rs_companions_pass(const struct rs_companions *companions,
				      const struct rs_companion_run *run, rs_companion_state state);
/* Whether the run has a member of a pair. */
bool rs_companions_has(const struct rs_companions *companions, const struct rs_member *const *tops,
		       size_t n_tops);
/* The number of pairs that a layout keeps; with ret_broken (may be NULL) the first one that it does not. */
size_t rs_companions_count_kept(const struct rs_companions *companions, const struct rs_binding *binding,
				const uint64_t *offset_bits, uint64_t size_bytes, size_t *ret_broken);
bool rs_companions_hold(const struct rs_companions *companions, const struct rs_binding *binding,
			const uint64_t *offset_bits, uint64_t size_bytes);
/* Whether two members can ever share a line, at their alignments and in all base offsets of the placement.
 * Array elements are taken to begin lines. */
bool rs_companions_can_meet(const struct rs_record *record, const struct rs_binding *binding,
			    const struct rs_constraint *constraint);

#endif
