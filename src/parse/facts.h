/*
 * What one unit shows, apart from libclang: it travels from a worker to the caller, and is kept for later runs.
 */
#ifndef RS_PARSE_FACTS_H
#define RS_PARSE_FACTS_H

#include "parse/dependencies.h"
#include "parse/uses.h"

/* What is asked of every unit. */
struct rs_question {
	const struct rs_record *const *records;
	size_t n_records;
	const char *root; /* see rs_uses_find() */
};

struct rs_facts {
	const struct rs_error *failure; /* NULL: the unit parses; else nothing below is known. arena's */
	bool has_prelude;               /* the unit was read behind the prelude of the parser's options */
	const struct rs_note *notes;    /* about the flags */
	size_t n_notes;
	const struct rs_diagnostic *diagnostics;
	size_t n_diagnostics;
	/* Files of the unit, but for system headers, whose text may assert something about layouts. */
	const char *const *asserting;
	size_t n_asserting;
	/* One a record. Sources of initialisers have their fingerprints, but no text: that is on disk. */
	struct rs_pin_list *pins;
	struct rs_initializer_list *initializers;
	size_t n_records;
};

/* Everything that the answers depend on besides the unit, as bytes. */
void rs_question_put(const struct rs_question *question, struct rs_builder *out);

/* Looks at the unit. What is found belongs to the arena, but for the notes and diagnostics, which are tu's. */
void rs_facts_find(struct rs_tu *tu, const struct rs_question *question, struct rs_arena *arena,
		   struct rs_facts *ret_facts);
/* A unit that could not be read. */
void rs_facts_fail(struct rs_arena *arena, enum rs_error_code code, const char *path, unsigned line,
		   unsigned column, const char *message, struct rs_facts *ret_facts);
void rs_facts_fail_with(struct rs_arena *arena, const struct rs_error *error, struct rs_facts *ret_facts);

void rs_facts_put(const struct rs_facts *facts, struct rs_builder *out);
/* False when the bytes are not facts about so many records; what is in ret_facts is then worth nothing. */
bool rs_facts_get(struct rs_wire *wire, struct rs_arena *arena, const struct rs_question *question,
		  struct rs_facts *ret_facts);

#endif
