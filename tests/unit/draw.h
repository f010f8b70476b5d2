/*
 * Random numbers for tests: a state gives the same ones everywhere.
 */
#ifndef RS_TESTS_DRAW_H
#define RS_TESTS_DRAW_H

#include <stdint.h>

static uint64_t random_state;

/* From 0 to limit - 1. */
static inline unsigned draw(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((random_state >> 33) % limit);
}

#endif
