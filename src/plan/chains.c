#include "plan/chains.h"

#include <string.h>

/* A Fenwick tree of maxima. */
struct rs_chains {
	size_t n_numbers;
	size_t *heaviest;
};

struct rs_chains *rs_chains_create(struct rs_arena *arena, size_t n_numbers)
{
	struct rs_chains *chains = rs_arena_new(arena, struct rs_chains);

	chains->n_numbers = n_numbers;
	chains->heaviest = rs_arena_array(arena, size_t, n_numbers + 1);
	return chains;
}

void rs_chains_start(struct rs_chains *chains)
{
	memset(chains->heaviest, 0, (chains->n_numbers + 1) * sizeof *chains->heaviest);
}

size_t rs_chains_add(struct rs_chains *chains, size_t number, size_t weight)
{
	size_t heaviest = 0;

	for (size_t i = number; i > 0; i -= i & -i)
		heaviest = chains->heaviest[i] > heaviest ? chains->heaviest[i] : heaviest;
	heaviest += weight;
	for (size_t i = number + 1; i <= chains->n_numbers; i += i & -i)
		chains->heaviest[i] = heaviest > chains->heaviest[i] ? heaviest : chains->heaviest[i];
	return heaviest;
}
