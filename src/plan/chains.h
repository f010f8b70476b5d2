/*
 * The heaviest rising chain of numbers that ends in each of a sequence of numbers, as they come.
 */
#ifndef RS_PLAN_CHAINS_H
#define RS_PLAN_CHAINS_H

#include "base/arena.h"

struct rs_chains;
/* For numbers below n_numbers. */
struct rs_chains *rs_chains_create(struct rs_arena *arena, size_t n_numbers);
/* Forgets the sequence. */
void rs_chains_start(struct rs_chains *chains);
/* The weight of the heaviest chain that ends in this number, itself included. */
size_t rs_chains_add(struct rs_chains *chains, size_t number, size_t weight);

#endif
