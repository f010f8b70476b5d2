/*
 * Which orders join bit-fields that different paths write: the rule as it is meant, pair by pair of runs, and
 * not as the optimizer follows it.
 */
#ifndef RS_TESTS_JOIN_RULE_H
#define RS_TESTS_JOIN_RULE_H

#include "profile/bind.h"

struct join_rule {
	const struct rs_record *record;
	const size_t *runs; /* by member, as it stands: number of its run of bit-fields; SIZE_MAX: is none */
	size_t *joined;     /* scratch: in an order */
	uint64_t *writers;  /* by run as it stands: paths */
};

/* Numbers runs of bit-fields that nothing parts in the order. */
static inline void join_rule_number(const struct rs_record *record, const size_t *order, size_t *ret_runs)
{
	size_t run = 0;

	for (size_t i = 0; i < record->n_units; i++) {
		const struct rs_unit *unit = &record->units[order ? order[i] : i];
		size_t m = unit->first_member;

		for (size_t k = 0; k < unit->n_members; k++, m = rs_record_next_sibling(record, m)) {
			bool is_open = record->members[m].is_bitfield && record->members[m].size_bits;

			ret_runs[m] = is_open ? run : SIZE_MAX;
			run += !is_open;
		}
	}
}

/* binding: NULL: nothing is written. */
static inline void join_rule_init(struct join_rule *rule, struct rs_arena *arena,
				  const struct rs_record *record, const struct rs_binding *binding)
{
	size_t n = record->n_members, *runs = rs_arena_array(arena, size_t, n + 1);

	rule->record = record;
	rule->runs = runs;
	rule->joined = rs_arena_array(arena, size_t, n + 1);
	rule->writers = rs_arena_array(arena, uint64_t, n + 1);
	for (size_t m = 0; m < n; m++)
		runs[m] = rule->joined[m] = SIZE_MAX;
	join_rule_number(record, NULL, runs);
	for (size_t p = 0; binding && p < binding->n_paths; p++)
		for (size_t i = 0; i < binding->paths[p].n_accesses; i++) {
			const struct rs_bound_access *access = &binding->paths[p].accesses[i];

			if (access->writes && runs[access->member] != SIZE_MAX &&
			    !(binding->allow & RS_ALLOW_JOIN))
				rule->writers[runs[access->member]] |= UINT64_C(1) << p;
		}
}

/* Whether runs come together that did not stand together before, and that different paths write. */
static inline bool join_rule_breaks(const struct join_rule *rule, const size_t *order)
{
	size_t n = rule->record->n_members;

	join_rule_number(rule->record, order, rule->joined);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n && rule->joined[i] != SIZE_MAX; k++) {
			size_t a = rule->runs[i], b = rule->runs[k];
			uint64_t any;

			if (rule->joined[i] != rule->joined[k] || a == b)
				continue;
			any = rule->writers[a] | rule->writers[b];
			if (rule->writers[a] && rule->writers[b] && any & (any - 1))
				return true;
		}
	return false;
}

#endif
