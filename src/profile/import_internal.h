/*
 * What importers share: lines, words and numbers with their places, and what to do with a row.
 *
 *   import.c             the table of formats, how one is told from another
 *   import_text.c        lines, words, numbers
 *   import_events.c      which events count loads, which stores
 *   import_annotate.c    perf annotate --data-type
 *   import_report.c      perf report -s type,typeoff
 *   import_json.c        the JSON of perf and pahole
 *   import_c2c.c         perf c2c report --stdio
 *   import_script.c      perf script with data_src
 *   import_dhat.c        valgrind --tool=dhat
 *   import_access.c      the runtime of src/runtime/
 *   import_cachelines.c  the kernel's net_cachelines tables
 *   import_csv.c         tables of anybody's making
 *   import_join.c        rows without a field ↔ records
 *   import_build.c       rows → profile
 */
#ifndef RS_PROFILE_IMPORT_INTERNAL_H
#define RS_PROFILE_IMPORT_INTERNAL_H

#include "profile/import.h"

/* A stretch of one line. */
struct rs_word {
	const char *text;
	size_t length;
	unsigned line, column; /* from 1, in bytes */
};

struct rs_import_lines {
	const char *at, *end;
	unsigned number;
};

void rs_import_lines(struct rs_import_lines *lines, const struct rs_import *import);
/* The next line without its end; false behind the last. */
bool rs_import_next_line(struct rs_import_lines *lines, struct rs_word *ret_line);
/* Takes the next word, a run without blanks, off the front of the rest; false when there is none. */
bool rs_word_next(struct rs_word *rest, struct rs_word *ret_word);
/* All words; ret_words is the import's. */
size_t rs_word_split(struct rs_arena *arena, struct rs_word line, struct rs_word **ret_words);
/* Without blanks at both ends. */
struct rs_word rs_word_trim(struct rs_word word);
/* What follows the first n bytes. */
struct rs_word rs_word_from(struct rs_word word, size_t n);
struct rs_word rs_word_first(struct rs_word word, size_t n);
bool rs_word_is(struct rs_word word, const char *text);
bool rs_word_begins(struct rs_word word, const char *text);
/* Where text begins in the word; SIZE_MAX when it does not. */
size_t rs_word_find(struct rs_word word, const char *text);
char *rs_word_dup(struct rs_arena *arena, struct rs_word word);

/* "expected WHAT, found 'word'" at its place. */
struct rs_error *rs_import_expected(const struct rs_import *import, struct rs_word word,
				    const char *what) RS_MUST_USE;
struct rs_error *rs_import_error(const struct rs_import *import, struct rs_word word, const char *format, ...)
	RS_PRINTF(3, 4) RS_MUST_USE;
/* A number as the C locale writes it: digits, maybe a point and more digits; from 0 to RS_IMPORT_MOST. */
struct rs_error *rs_import_number(const struct rs_import *import, struct rs_word word,
				  double *ret_number) RS_MUST_USE;
/* The same with a % behind it. */
struct rs_error *rs_import_percent(const struct rs_import *import, struct rs_word word,
				   double *ret_number) RS_MUST_USE;
/* A whole number, decimal or (behind 0x, or always with is_hex) hexadecimal. */
struct rs_error *rs_import_whole(const struct rs_import *import, struct rs_word word, bool is_hex,
				 uint64_t *ret_number) RS_MUST_USE;
bool rs_word_is_number(struct rs_word word);
bool rs_word_is_hex(struct rs_word word);
/* What perf puts in the place of a source line that it does not know: SYMBOL+26, OBJECT[5589e4]. */
bool rs_word_is_no_source(struct rs_word word);

#define RS_IMPORT_MOST 1e18

/* What an event counts. */
enum rs_event_kind { RS_EVENT_ANY, RS_EVENT_LOADS, RS_EVENT_STORES, RS_EVENT_NONE };
enum rs_event_kind rs_event_kind(const char *name);
/* Whether only loads above a latency are counted. */
bool rs_event_is_filtered(const char *name);
/* Adds amount to the row's reads or writes; accesses of neither kind go where import->as says. */
void rs_import_count(struct rs_import *import, struct rs_import_row *row, enum rs_event_kind kind,
		     double amount);
/* Notes the units of an event's counts in the import: "samples above a latency", for loads that are filtered.
 */
void rs_import_units(struct rs_import *import, const char *event, const char *unit);

struct rs_import_row *rs_import_add(struct rs_import *import, struct rs_word at);
void rs_import_lose(struct rs_import *import, enum rs_import_loss why, unsigned line, unsigned column,
		    const char *name);
/* The tag without "struct "; NULL when the type is no struct or union. */
const char *rs_import_tag(struct rs_arena *arena, struct rs_word type);
/* The tag or typedef's name, whatever else the type may be; NULL for a pointer, a number, (unknown). */

/* The value of a key that an object must have, of this kind. */
struct rs_error *rs_import_get(const struct rs_import *import, const struct rs_json *object, const char *key,
			       enum rs_json_kind kind, const struct rs_json **ret_value) RS_MUST_USE;

bool rs_sniff_annotate(const char *text, size_t size);
bool rs_sniff_report(const char *text, size_t size);
bool rs_sniff_json(const char *text, size_t size);
bool rs_sniff_c2c(const char *text, size_t size);
bool rs_sniff_script(const char *text, size_t size);
bool rs_sniff_access(const char *text, size_t size);
bool rs_sniff_dhat(const char *text, size_t size);
bool rs_sniff_cachelines(const char *text, size_t size);
bool rs_sniff_csv(const char *text, size_t size);
struct rs_error *rs_import_annotate(struct rs_import *import) RS_MUST_USE;
struct rs_error *rs_import_report(struct rs_import *import) RS_MUST_USE;
struct rs_error *rs_import_json(struct rs_import *import) RS_MUST_USE;
struct rs_error *rs_import_c2c(struct rs_import *import) RS_MUST_USE;
struct rs_error *rs_import_script(struct rs_import *import) RS_MUST_USE;
struct rs_error *rs_import_access(struct rs_import *import) RS_MUST_USE;
struct rs_error *rs_import_dhat(struct rs_import *import) RS_MUST_USE;
struct rs_error *rs_import_cachelines(struct rs_import *import) RS_MUST_USE;
struct rs_error *rs_import_csv(struct rs_import *import) RS_MUST_USE;

#endif
