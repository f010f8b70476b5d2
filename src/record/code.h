/*
 * What functions do to the objects of records: their accesses, and the calls that hand objects on. Plain values
 * that parse/ makes and profile/ counts; nothing of a compiler is in them.
 *
 * A function is a tree of blocks (bodies of loops, branches); an access stands in one of them and speaks of a
 * base: the object, as the expression that reaches it.
 */
#ifndef RS_RECORD_CODE_H
#define RS_RECORD_CODE_H

#include "base/arena.h"
#include "base/wire.h"
#include "record/record.h"

enum rs_code_deed {
	RS_CODE_READ = 1,
	RS_CODE_WRITE = 2,
	RS_CODE_ATOMIC = 4,  /* both, indivisibly */
	RS_CODE_ADDRESS = 8, /* goes where nobody follows it: what is done there is not known */
};

struct rs_code_place {
	const char *file;      /* real path */
	unsigned line, column; /* of a macro's use, not of its definition; column in bytes, from 1 */
};

struct rs_code_block {
	size_t parent; /* RS_NONE: the function's own body, which is block 0 */
	size_t choice; /* of the blocks with one parent and one choice at most one runs at a time; RS_NONE */
	bool is_loop;
	unsigned line;              /* of the loop's own statement; else 0 */
	struct rs_code_place place; /* of what is inside */
};

struct rs_code_base {
	const char *text; /* "c", "c->db", "server" */
	size_t record;
	size_t parameter; /* of the function, from 0, that it is itself; RS_NONE */
};

struct rs_code_site {
	struct rs_code_place place;
	const char *name;  /* the member's own, as the code spells it; NULL: the object as a whole */
	const char *macro; /* whose body writes it; NULL */
	/* Of the macro in whose argument it stands; 0: it stands in none. In the file of place. */
	unsigned use_line, use_column;
	size_t member; /* of the base's record; RS_NONE: the object as a whole */
	size_t base, block;
	size_t instance; /* block of the loop that goes from one object to the next; 0: none does */
	unsigned does;   /* rs_code_deed bits */
};

/* A base given to another function, which calls it by its own parameter. */
struct rs_code_call {
	struct rs_code_place place;
	const char *callee; /* rs_code_function.key */
	size_t parameter;
	size_t base, block, instance;
};

struct rs_code_function {
	const char *name;
	const char *key; /* the same in all units that show the same function */
	struct rs_code_place place;
	bool is_shared; /* visible to other units */
	struct rs_code_block *blocks;
	size_t n_blocks, blocks_capacity;
	struct rs_code_base *bases;
	size_t n_bases, bases_capacity;
	struct rs_code_site *sites; /* in the order of the text */
	size_t n_sites, sites_capacity;
	struct rs_code_call *calls;
	size_t n_calls, calls_capacity;
};

struct rs_code {
	struct rs_arena *arena;
	struct rs_code_function *functions;
	size_t n_functions, functions_capacity;
};

void rs_code_put(const struct rs_code *code, struct rs_builder *out);
/* Adds what was put; false when the bytes are no code about so many records. */
bool rs_code_get(struct rs_wire *wire, const struct rs_record *const *records, size_t n_records,
		 struct rs_code *code);
/* Sorts by key, and keeps each function once. */
void rs_code_settle(struct rs_code *code);
/* How often the block runs when its function runs once, by its loops alone: ten times each. */
double rs_code_estimate(const struct rs_code_function *function, size_t block);
/* NULL: it is not there. Only after settling. */
const struct rs_code_function *rs_code_find(const struct rs_code *code, const char *key);

#endif
