#include "plan/exchange.h"

#include <string.h>

bool rs_exchange_next(struct rs_exchange *exchange, size_t n_atoms, size_t longest)
{
	size_t *from = &exchange->from, *n = &exchange->n, *n_passed = &exchange->n_passed;
	size_t room = n_atoms - *from - *n;

	if (*n && *n_passed < room && (*n <= longest || *n_passed < longest)) {
		(*n_passed)++;
		return true;
	}
	*n_passed = 1;
	if (*from + *n + 1 < n_atoms) {
		(*n)++;
		return true;
	}
	*n = 1;
	(*from)++;
	return *from + 1 < n_atoms;
}

size_t rs_exchange_longest(size_t n_atoms, uint64_t n_steps)
{
	uint64_t square = (uint64_t)n_atoms * n_atoms, longest = square ? n_steps / square : 0;

	return longest < 1 ? 1 : (size_t)longest;
}

bool rs_exchange_apply(const struct rs_problem *problem, const size_t *order, struct rs_exchange exchange,
		       size_t *ret_order)
{
	const size_t *run = order + exchange.from;

	if (!rs_problem_may_pass(problem, order, exchange.from, exchange.n, exchange.n_passed))
		return false;
	memcpy(ret_order, order, problem->n_atoms * sizeof *order);
	memcpy(ret_order + exchange.from, run + exchange.n, exchange.n_passed * sizeof *order);
	memcpy(ret_order + exchange.from + exchange.n_passed, run, exchange.n * sizeof *order);
	return true;
}
