/*
 * A proven lower bound on the cost of any permitted order.
 *
 * least(j, M) is the least cost of the elements M spread over the last j lines: the minimum, over the sets S
 * that fit on a line, of h(S) + least(j - 1, M without S), where the last line is only as long as the largest
 * permitted size leaves it. Where lines are not counted, S is one that holds M's lowest element. h(S) is the least cost
 * of a line whose content includes S, so that nothing hangs on the cost rising with every access. What is left
 * out only ever costs more: untouched atoms, holes, the order inside the lines, regions, and the second line of
 * whatever lies across a border. An atom whose touches may come apart is taken apart.
 *
 * With more elements than the table can hold, the coldest are dropped and the lines are costed without upgrades
 * and capacity misses; that part of the cost never falls when an access is added.
 */
#ifndef RS_PLAN_BOUND_H
#define RS_PLAN_BOUND_H

#include "plan/elements.h"

enum { RS_BOUND_MOST_ELEMENTS = 18 };

typedef uint32_t rs_element_set; /* bit per kept element */

struct rs_bound {
	const struct rs_place *place;
	const struct rs_element *elements; /* kept ones */
	size_t n_elements;
	bool is_complete; /* no element was dropped */
	rs_element_set all;
	const rs_element_set *const *before; /* [atom][touch]: elements of its touches before that one */
	double **tables;                     /* [lines left] from 1, the last line among them; the last table stands
					      * for more lines too */
	size_t n_tables;
	bool is_unlimited;    /* the last table allows any number of lines */
	const double *lines;  /* h(S); infinite where S does not fit */
	const size_t *limits; /* for each base: lines that a layout of the largest permitted size may touch */
	size_t most_lines;    /* largest of them */
	double least_ns;      /* of the whole problem */
};

/* place->problem has a cost. n_steps: of the recursion over subsets, a nanosecond each; decides how many
 * elements are kept where not all can be. */
const struct rs_bound *rs_bound_create(struct rs_arena *arena, struct rs_place *place, double n_steps);
/* The least cost of the elements on at most so many lines. */
double rs_bound_rest(const struct rs_bound *bound, rs_element_set elements, size_t n_lines);
/* The elements of an atom's touches from … to - 1. */
rs_element_set rs_bound_elements(const struct rs_bound *bound, size_t atom, size_t from, size_t to);
/* A partition of all elements that costs least_ns: one set a line, n_elements at most. */
size_t rs_bound_partition(const struct rs_bound *bound, rs_element_set *ret_sets);

#endif
