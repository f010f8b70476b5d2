/*
 * What the files behind lift.h share: the search while it looks at units.
 */
#ifndef RS_PARSE_LIFT_INTERNAL_H
#define RS_PARSE_LIFT_INTERNAL_H

#include "base/builder.h"
#include "parse/lift.h"
#include "parse/uses_internal.h"

/* A name in a file's text. */
struct rs_lift_place {
	size_t byte;
	size_t lifted;          /* which member it names; RS_NONE: some other one of that name */
	size_t start;           /* where the way to it begins that goes away; byte: there is none */
	struct rs_span opening; /* and of `(&rt->dst)->` the bytes before; empty: it is not of that form */
};

/* A word in a text that no unit has explained yet. */
struct rs_lift_word {
	size_t byte;
	size_t lifted;
	const char *macro; /* in whose body it stands; NULL: in text that the unit passed over */
};

struct rs_lift_text {
	const struct rs_source *source;
	bool is_editable;
	struct rs_lift_place *places;
	size_t n_places, places_capacity;
	struct rs_lift_word *words;
	size_t n_words, words_capacity;
	const char **bodies; /* names of macros, each followed by its body */
	size_t n_bodies, bodies_capacity;
};

/* A macro whose expansion names members. */
struct rs_lift_macro {
	const char *name;
	bool is_lifted; /* one that is lifted is among them */
};

struct rs_lift_search {
	struct rs_arena *arena;
	const struct rs_record *const *records;
	size_t n_records;
	struct rs_lifting lifting;
	const char *root;
	struct rs_lift_text *texts;
	size_t n_texts, texts_capacity;
	struct rs_lift_macro *macros;
	size_t n_macros, macros_capacity;
	const char *losers; /* the arena's; NULL: none */
	struct rs_pin_list pins;
};

/* The search in one unit. */
struct rs_lift_walk {
	struct rs_lift_search *search;
	struct rs_use_walk uses;
};

/* The token before a byte of a text, blanks passed over: begins there and ends at *byte, which it is set to.
 * False: it is another one. */
bool rs_lift_step_back(const struct rs_source *source, size_t *byte, const char *token);
/* Whether text of the form `through.name` ends with the name at the place, which then begins with it. */
bool rs_lift_find_way(const struct rs_lift_search *search, const struct rs_source *source,
		      struct rs_lift_place *place);
/* The same for an access, which may be `(&container->through)->name`, too. */
bool rs_lift_find_access(struct rs_lift_walk *walk, const struct rs_source *source, CXCursor access,
			 struct rs_lift_place *place);
/* A lowered member by a name of it and the one before in the same designator or offsetof(), which may be null;
 * RS_NONE: it is none, or, if *ret_is_plain, one with no container to go to. */
size_t rs_lift_of_name(struct rs_lift_walk *walk, CXCursor name, CXCursor before, bool *ret_is_plain);
/* A declaration: a struct that has the record inside, and is none of the containers, loses what is lowered. */
void rs_lift_add_loser(struct rs_lift_walk *walk, CXCursor field);
/* A lifted member by the field's declaration; RS_NONE. */
size_t rs_lift_of_field(struct rs_lift_walk *walk, CXCursor field);
void rs_lift_pin(struct rs_lift_walk *walk, CXCursor where, const char *code, const char *format, ...)
	RS_PRINTF(4, 5);
/* Looks at one expression; in_allocation: it is a part of what an allocation is given. */
void rs_lift_check_hazards(struct rs_lift_walk *walk, CXCursor cursor, bool in_allocation);
/* Whether a function of this name is given sizes of objects to make. */
bool rs_lift_is_allocation(const char *name);

#endif
