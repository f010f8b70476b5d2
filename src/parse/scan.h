/*
 * A question put to many translation units: each is answered from what earlier runs have kept, or in a worker
 * process that parses it. What the question is, the caller knows.
 */
#ifndef RS_PARSE_SCAN_H
#define RS_PARSE_SCAN_H

#include "parse/fact_cache.h"
#include "parse/scan_unit.h"

struct rs_scan_settings {
	size_t n_jobs;                                 /* 0: one a processor */
	struct rs_fact_cache *cache;                   /* NULL: nothing is kept */
	const char *version;                           /* of the program */
	void (*progress)(size_t n_done, size_t n_all); /* n_done == n_all: it is over; NULL */
};

struct rs_scan_answer {
	struct rs_bytes bytes;
	const struct rs_dependencies *dependencies;
	const char *problem; /* NULL: answered; else the worker died on the unit, and this is how */
};

struct rs_scan {
	const struct rs_scan_unit *const *units;
	size_t n_units;
	struct rs_bytes question; /* all that the answers depend on besides the unit and the parser's options */
	/* Files that are read as these texts; the question needs not hold them. */
	const struct rs_buffer *texts;
	size_t n_texts;
	void *context; /* of the functions */
	/* In a worker, whose parser this is. *ret_tu (NULL before) is the unit that the answer was taken from, to
	 * be destroyed; NULL: there is none, and the answer is not kept. */
	void (*answer)(void *context, struct rs_parser *parser, size_t unit, struct rs_builder *out,
		       struct rs_tu **ret_tu);
	/* In the caller, in any order; the bytes are valid during the call, the dependencies as long as the
	 * arena. False: answers of later units are not wanted; those of earlier ones still come. */
	bool (*take)(void *context, size_t unit, const struct rs_scan_answer *answer);
};

/* arena: for the dependencies that are handed over. */
void rs_scan_run(struct rs_parser *parser, const struct rs_scan_settings *settings, const struct rs_scan *scan,
		 struct rs_arena *arena);

#endif
