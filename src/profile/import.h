/*
 * Profiles from what other tools write. An importer, one file a source, turns text into rows of evidence: so
 * many reads and writes of this field, by this path. Rows become a profile (import_build.c) once each knows its
 * field; those that know a byte or a source line only are joined to a record first (import_join.c).
 *
 * Strict: what is not of the form that the importer knows is an error with its place, that says what was
 * expected and what was seen. What is of the form but speaks of no field is counted and reported, never dropped
 * silently.
 */
#ifndef RS_PROFILE_IMPORT_H
#define RS_PROFILE_IMPORT_H

#include "profile/profile.h"
#include "record/record.h"

struct rs_import_row {
	unsigned line, column; /* in the imported file */
	const char *type;      /* tag or typedef's name; NULL: not said */
	const char *field;     /* C path; NULL: not said */
	const char *within;    /* a word that tells namesakes apart: the field's own type, say; NULL */
	bool has_offset;       /* the field is the one at this byte of the object */
	uint64_t offset;
	bool has_address; /* the field is the one at this address, given the object's */
	uint64_t address;
	const char *file; /* the field is one that this source line uses; NULL */
	unsigned source_line;
	const char *path; /* the function that does it; NULL: not said */
	double reads, writes;
	bool is_atomic;    /* some of the writes */
	unsigned cpus;     /* 0: not said */
	double burst;      /* of the path; 0: not said */
	const char *phase; /* of the path; NULL: steady state */
};

/* What is left out, by why; the first of each is named in the note. */
enum rs_import_loss {
	RS_LOST_NO_STRUCT, /* of no struct: a scalar type, the stack, unknown */
	RS_LOST_NO_MEMBER, /* no member has that name or byte */
	RS_LOST_NO_SITE,   /* no access to the struct stands on that source line */
	RS_LOST_AMBIGUOUS, /* several members could be meant */
	RS_LOST_OTHER,     /* of a struct that was not asked for */
	RS_LOST_COUNT,
};

struct rs_import_losses {
	size_t n_rows;
	char *first;
	unsigned line, column, last_line, last_column;
};

struct rs_import {
	struct rs_arena *arena;
	struct rs_notes *notes;
	const char *path; /* of the imported file, for messages */
	const char *text; /* inflated; NUL-terminated */
	size_t size;
	const char *as; /* "reads" or "writes": what accesses are when the file does not say; NULL: reads */
	bool by_field;  /* counts of the fields, where the file knows paths, too */
	const char *allocation; /* of the allocation stack: the blocks to look at; NULL: all of the size */
	const struct rs_record *const *records; /* layouts to join to; none: names are taken as they are */
	size_t n_records;

	/* Filled by the importer. */
	const char *tool, *version, *trust, *reads_unit, *writes_unit;
	unsigned line_bytes; /* 0: not said */
	bool is_crowded;     /* threads took turns on the CPUs: bursts say nothing */
	double *instances;   /* one a record: objects at a time; 0: not said. NULL: none is */
	struct rs_import_row *rows;
	size_t n_rows, rows_capacity;
	struct rs_import_losses lost[RS_LOST_COUNT];
	size_t n_kindless; /* rows whose accesses may be reads or writes */
	bool is_complete;  /* every member of the struct has a row */
	bool lists_all;    /* the source means to name every member */
};

struct rs_import_format {
	const char *name; /* as in --from=NAME */
	const char *what; /* for messages: "perf c2c report --stdio" */
	/* Whether the text looks like it. */
	bool (*sniff)(const char *text, size_t size);
	struct rs_error *(*read)(struct rs_import *import);
	bool is_text;      /* lines: the last must end, colours are dropped */
	bool needs_record; /* its rows are bytes of a layout */
};
/* Ends with a NULL name. */
extern const struct rs_import_format rs_import_formats[];

/* Reads the text into rows. format NULL: found by looking. import->text is replaced by what was read in fact.
 */
struct rs_error *rs_import_read(struct rs_import *import, const char *format) RS_MUST_USE;

/* A place in the sources that uses a member of a record. */
struct rs_import_site {
	const char *file; /* real path */
	unsigned line;
	size_t record, member; /* RS_NONE: the object as a whole */
	bool reads, writes;
};
/* Finds the fields of rows that name none, and those that the records call otherwise. base: address of an
 * object, for rows with addresses; has_base false: none is known. */
void rs_import_join(struct rs_import *import, const struct rs_import_site *sites, size_t n_sites, bool has_base,
		    uint64_t base);
/* Whether there are rows that need sites, or an address. */
bool rs_import_needs_sites(const struct rs_import *import);
/* The rows as a profile of the structs `names` (none: all). Notes say what was lost. */
struct rs_error *rs_import_build(struct rs_import *import, const char *const *names, size_t n_names,
				 struct rs_profile *ret_profile) RS_MUST_USE;

#endif
