/*
 * A record and its profile as the optimizer sees them: atoms that move, what paths touch inside them, and
 * which must stand before which.
 *
 * An atom is a unit, or units that must follow one another, with the carried units behind them. Atoms are
 * numbered in original order. Two atoms of one class are interchangeable: they lay out alike, are touched
 * alike at the same places and are held by the same constraints. An order of atoms keeps regions together and
 * in place; everything here is const once built.
 */
#ifndef RS_PLAN_PROBLEM_H
#define RS_PLAN_PROBLEM_H

#include "plan/companions.h"
#include "plan/joins.h"
#include "plan/plan.h"

/* How paths use a member. Members with equal uses share a signature. */
struct rs_use {
	size_t path;
	bool writes;
};
struct rs_signature {
	const struct rs_use *uses;
	size_t n_uses;
	double heat; /* sum of the paths' rates */
};

/* An accessed member, or one inside it, of an atom. */
struct rs_touch {
	size_t top;           /* index into the atom's tops */
	uint64_t inside_bits; /* from the start of the top-level member */
	uint64_t size_bits;
	uint32_t signature;
};

struct rs_atom {
	const size_t *units;
	size_t n_units;
	const struct rs_member *const *tops; /* top-level members in layout order */
	size_t n_tops;
	const struct rs_touch *touches; /* by top, then offset inside */
	size_t n_touches;
	size_t region;
	size_t class;
	uint64_t least_bits;  /* sum of its members' sizes */
	uint64_t align_bytes; /* largest of its members' */
	double heat;          /* of its hottest touch */
};

struct rs_atom_class {
	const size_t *atoms; /* rising */
	size_t n_atoms;
	const size_t *after; /* classes of the region whose atoms all come before any of this one */
	size_t n_after;
};

struct rs_problem {
	const struct rs_record *record;
	const struct rs_binding *binding; /* NULL: bytes alone */
	const struct rs_cost *cost;       /* NULL likewise */
	const struct rs_atom *atoms;
	size_t n_atoms;
	const struct rs_atom_class *classes; /* by their first atom */
	size_t n_classes;
	const struct rs_signature *signatures;
	size_t n_signatures;
	size_t n_touched;     /* atoms with touches */
	bool has_empty_touch; /* of a member without bytes: it may lie right behind the last byte */
	size_t n_regions;
	const size_t *const *heads; /* for each region, the carried units before its first atom … */
	const size_t *n_heads;      /* … and their number */
	const uint64_t *precedes;   /* bit matrix, n_atoms × n_atoms: row before column, by constraints */
	size_t row_words;
	const struct rs_joins *joins;
	const struct rs_companions *companions; /* NULL: none */
	uint64_t max_align_bytes;               /* of any atom */
	uint64_t max_size_bytes;                /* no layout may be larger */
	const size_t *start; /* the order nearest to the original that is permitted but for companions: the
			      * original, if that is so of it */
	bool is_feasible;    /* the constraints allow at least one order */
};

/* cost may be NULL. max_size_bytes 0: the profile's, or the original size. Memory is arena's. */
const struct rs_problem *rs_problem_create(struct rs_arena *arena, const struct rs_record *record,
					   const struct rs_binding *binding, const struct rs_cost *cost,
					   uint64_t max_size_bytes);
/* The order of units that an order of atoms stands for. */
void rs_problem_expand(const struct rs_problem *problem, const size_t *atom_order, size_t *ret_unit_order);
/* Whether two members, or two atoms' constraints, are the same to the layout. */
bool rs_problem_lies_like(const struct rs_member *a, const struct rs_member *b);
bool rs_problem_has_companion(const struct rs_problem *problem, size_t atom);
bool rs_problem_is_held_like(const struct rs_problem *problem, size_t a, size_t b);
/* The state of joins behind the atom; RS_JOINS_NEVER when it may not come there. */
rs_join_state rs_problem_pass(const struct rs_problem *problem, size_t atom, rs_join_state state);
bool rs_problem_precedes(const struct rs_problem *problem, size_t atom, size_t other);
/* Whether the order stays permitted when the run of n atoms at `from` changes places with the n_passed atoms
 * right behind it. */
bool rs_problem_may_pass(const struct rs_problem *problem, const size_t *order, size_t from, size_t n,
			 size_t n_passed);
uint64_t rs_problem_round_size(const struct rs_problem *problem, uint64_t end_bits);

#endif
