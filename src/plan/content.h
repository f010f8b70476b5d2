/*
 * What a cache line holds, as far as the cost goes: a multiset of signatures. Equal contents have one number,
 * and each is costed once.
 */
#ifndef RS_PLAN_CONTENT_H
#define RS_PLAN_CONTENT_H

#include "plan/problem.h"

struct rs_contents;
enum { RS_CONTENT_EMPTY = 0 };

struct rs_contents *rs_contents_create(struct rs_arena *arena, const struct rs_problem *problem);
/* signatures in any order; may be reordered. */
uint32_t rs_contents_find(struct rs_contents *contents, uint32_t *signatures, size_t count);
uint32_t rs_contents_join(struct rs_contents *contents, uint32_t a, uint32_t b);
double rs_contents_cost(const struct rs_contents *contents, uint32_t content);
/* The cost of a line with these signatures, without keeping it. */
double rs_contents_compute(struct rs_contents *contents, const struct rs_cost *cost, const uint32_t *signatures,
			   size_t count);

#endif
