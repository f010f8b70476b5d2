/*
 * What a cache line holds, as far as the cost goes: a multiset of signatures. It is known by two independent
 * 64-bit sums over random numbers of its signatures, so that an atom is added by two additions and each content
 * is costed once.
 */
#ifndef RS_PLAN_CONTENT_H
#define RS_PLAN_CONTENT_H

#include "plan/problem.h"

struct rs_content {
	uint64_t key[2]; /* both 0: nothing that is touched */
};

/* What one atom brings to one line. */
struct rs_part {
	struct rs_content content;
	const uint32_t *signatures;
	size_t n_signatures;
};

struct rs_contents;
struct rs_contents *rs_contents_create(struct rs_arena *arena, const struct rs_problem *problem);
struct rs_part rs_contents_make_part(const struct rs_contents *contents, const uint32_t *signatures,
				     size_t count);
static inline struct rs_content rs_content_join(struct rs_content a, struct rs_content b)
{
	return (struct rs_content) { { a.key[0] + b.key[0], a.key[1] + b.key[1] } };
}
static inline bool rs_content_is_empty(struct rs_content content)
{
	return !(content.key[0] | content.key[1]);
}
/* False when the content was not costed yet. */
bool rs_contents_find_cost(const struct rs_contents *contents, struct rs_content content, double *ret_cost_ns);
/* The cost of the line that holds the parts, kept from now on. */
double rs_contents_add_cost(struct rs_contents *contents, const struct rs_part *const *parts, size_t n_parts);
/* The cost of a line with these signatures, by any model of the problem's binding, without keeping it. */
double rs_contents_compute(struct rs_contents *contents, const struct rs_cost *cost, const uint32_t *signatures,
			   size_t count);

#endif
