/*
 * Random struct bodies in random orders: after the edits the same scanner finds the same units, byte for byte,
 * in the order asked for; comments and directives are all there once; line ends are of the file's kind; blank
 * lines do not pile up; the inverse edits restore the original.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parse/lexer.h"
#include "rewrite/rewrite.h"
#include "struct_text.h"

enum { N_ITERATIONS = 20000 };

struct random {
	uint64_t state;
};

static unsigned pick(struct random *random, unsigned below)
{
	random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(random->state >> 33) % below;
}

/* The style of one text and what has been written of it. */
struct writer {
	struct random *random;
	struct rs_builder *out;
	const char *line_end;
	const char *indent;
	unsigned n_names;
	bool has_bitfields;
	bool is_dense; /* many declarations on a line */
	bool in_line;  /* the next thing goes on the same line */
};

static void end_line(struct writer *writer)
{
	if (pick(writer->random, 12) == 0)
		rs_builder_appends(writer->out, "  ");
	rs_builder_appends(writer->out, writer->line_end);
	writer->in_line = false;
}

static void begin(struct writer *writer)
{
	if (writer->in_line)
		rs_builder_appends(writer->out, pick(writer->random, 4) ? " " : "");
	else
		rs_builder_appends(writer->out, writer->indent);
}

static void write_leading(struct writer *writer)
{
	unsigned n = ++writer->n_names;

	if (writer->in_line)
		return;
	switch (pick(writer->random, 9)) {
	case 0:
		rs_builder_printf(writer->out, "%s/* lead %u */%s", writer->indent, n, writer->line_end);
		break;
	case 1:
		rs_builder_printf(writer->out, "%s// lead %u%s", writer->indent, n, writer->line_end);
		rs_builder_printf(writer->out, "%s// more %u%s", writer->indent, n, writer->line_end);
		break;
	case 2:
		rs_builder_printf(writer->out, "%s/*%s%s * lead %u; x%s%s */%s", writer->indent,
				  writer->line_end, writer->indent, n, writer->line_end, writer->indent,
				  writer->line_end);
		break;
	default:
		break;
	}
}

static void write_declaration(struct writer *writer)
{
	unsigned n = ++writer->n_names;

	switch (pick(writer->random, 12)) {
	case 0:
		rs_builder_printf(writer->out, "int a%u, *b%u;", n, n);
		break;
	case 1:
		rs_builder_printf(writer->out, "struct {%s%s\tint x; // in%s%s} s%u;", writer->line_end,
				  writer->indent, writer->line_end, writer->indent, n);
		break;
	case 2:
		rs_builder_printf(writer->out, "DECLARE_BITMAP(m%u, 100);", n);
		break;
	case 3:
		rs_builder_printf(writer->out, "int g%u GUARDED_BY(lock);", n);
		break;
	case 4:
		rs_builder_printf(writer->out, "/* 0x%02x */ int o%u;", n, n);
		break;
	case 5:
		rs_builder_printf(writer->out, "int (*f%u)(int /* in; side */, char);", n);
		break;
	default:
		rs_builder_printf(writer->out, "%s v%u;", n % 2 ? "long" : "char", n);
		break;
	}
}

/* Gives false when the line must end. */
static bool write_trailing(struct writer *writer)
{
	unsigned n = ++writer->n_names;

	switch (pick(writer->random, 10)) {
	case 0:
		rs_builder_printf(writer->out, " /* trail %u; */", n);
		return true;
	case 1:
		rs_builder_printf(writer->out, "\t// trail %u;", n);
		return false;
	case 2:
		rs_builder_printf(writer->out, "\t///< trail %u%s%s\t///< more", n, writer->line_end,
				  writer->indent);
		return false;
	case 3:
		rs_builder_printf(writer->out, "\t/* trail %u%s%s\t * more */", n, writer->line_end,
				  writer->indent);
		return true;
	default:
		return true;
	}
}

static void write_plain(struct writer *writer)
{
	bool may_go_on;

	write_leading(writer);
	begin(writer);
	write_declaration(writer);
	may_go_on = write_trailing(writer);
	writer->in_line = may_go_on && pick(writer->random, 6) == 0;
	if (writer->is_dense)
		writer->in_line = may_go_on && pick(writer->random, 15) > 0;
	if (!writer->in_line)
		end_line(writer);
}

static void write_lines(struct writer *writer, const char *const *lines, size_t n_lines)
{
	unsigned n = ++writer->n_names;

	if (writer->in_line)
		end_line(writer);
	for (size_t i = 0; i < n_lines; i++) {
		for (const char *c = lines[i]; *c; c++) {
			if (*c == '@')
				rs_builder_appends(writer->out, writer->indent);
			else if (*c == '%')
				rs_builder_printf(writer->out, "%u", n);
			else
				rs_builder_appendc(writer->out, *c);
		}
		end_line(writer);
	}
}

/* A barrier, maybe on a line with declarations. */
static void write_assertion(struct writer *writer)
{
	unsigned n = ++writer->n_names;
	bool goes_on;

	begin(writer);
	rs_builder_printf(writer->out, "_Static_assert(sizeof(int) == 4, \"%u;\");", n);
	goes_on = write_trailing(writer);
	writer->in_line = goes_on && pick(writer->random, 3) == 0;
	if (!writer->in_line)
		end_line(writer);
}

static void write_odd(struct writer *writer)
{
	static const char *const conditional[] = { "#ifdef C%", "@int c%;",  "@/* in % */",
						   "#else",     "@char d%;", "#endif /* C% */" };
	static const char *const include[] = { "#include \"f%.h\"" };
	static const char *const group[] = { "#define X%(t) t;", "@LIST%(X%)", "#undef X%" };
	static const char *const defined[] = { "@int flags%;", "#define F% 1 /* f */", "#define G% 2" };
	static const char *const bits[] = { "@unsigned x%:3;", "", "@/* y% */", "@unsigned y%:4, :0;" };
	static const char *const pragma[] = { "#pragma once_%" };

	switch (pick(writer->random, 9)) {
	case 0:
		write_lines(writer, conditional, RS_COUNT_OF(conditional));
		break;
	case 1:
		write_lines(writer, include, RS_COUNT_OF(include));
		break;
	case 2:
		write_lines(writer, group, RS_COUNT_OF(group));
		break;
	case 3:
		write_lines(writer, defined, RS_COUNT_OF(defined));
		break;
	case 4:
		write_assertion(writer);
		break;
	case 5:
		write_lines(writer, pragma, RS_COUNT_OF(pragma));
		break;
	default:
		/* two runs that meet would be one unit */
		if (!writer->has_bitfields)
			write_lines(writer, bits, RS_COUNT_OF(bits));
		writer->has_bitfields = true;
		break;
	}
}

static void write_section(struct writer *writer)
{
	static const char *const blank[] = { "" };
	static const char *const detached[] = { "", "@/* section % */", "" };
	static const char *const banner[] = { "", "@/* ---- banner % ---- */" };
	static const char *const lines[] = { "@// everything below is %", "@// for the reader" };
	static const char *const gone[] = { "@/* int gone%; */" };
	static const char *const define[] = { "", "#define K% 1", "" };

	switch (pick(writer->random, 8)) {
	case 0:
		write_lines(writer, detached, RS_COUNT_OF(detached));
		break;
	case 1:
		write_lines(writer, banner, RS_COUNT_OF(banner));
		break;
	case 2:
		write_lines(writer, lines, RS_COUNT_OF(lines));
		break;
	case 3:
		write_lines(writer, gone, RS_COUNT_OF(gone));
		break;
	case 4:
		write_lines(writer, define, RS_COUNT_OF(define));
		break;
	default:
		write_lines(writer, blank, 1);
		break;
	}
}

static void write_head(struct writer *writer)
{
	rs_builder_appends(writer->out, "#ifndef H");
	rs_builder_appends(writer->out, writer->line_end);
	rs_builder_appends(writer->out, pick(writer->random, 2) ? "struct s {" : "typedef struct {");
	switch (pick(writer->random, 8)) {
	case 0:
	case 1:
		writer->in_line = true;
		break;
	case 2:
		rs_builder_appends(writer->out, " // at the brace");
		end_line(writer);
		break;
	default:
		end_line(writer);
		break;
	}
}

static void write_struct(struct random *random, struct rs_builder *out)
{
	static const char *const indents[] = { "\t", "    ", "  " };
	struct writer writer = { .random = random, .out = out };
	unsigned n_things = pick(random, 14);

	writer.line_end = pick(random, 4) ? "\n" : "\r\n";
	writer.indent = indents[pick(random, 3)];
	writer.is_dense = pick(random, 4) == 0;
	write_head(&writer);
	for (unsigned i = 0; i < n_things; i++) {
		unsigned kind = pick(random, 12);

		if (kind < 8)
			write_plain(&writer);
		else if (kind < 10)
			write_section(&writer);
		else
			write_odd(&writer);
	}
	if (pick(random, 6) == 0 && !writer.in_line)
		rs_builder_printf(out, "%s/* the end */%s", writer.indent, writer.line_end);
	rs_builder_printf(out, "} t;");
	if (pick(random, 2))
		rs_builder_appends(out, writer.line_end);
}

/* A permutation that keeps units between barriers. */
static size_t *random_order(struct random *random, struct rs_arena *arena, const struct rs_record *record)
{
	size_t *order = rs_arena_array(arena, size_t, record->n_units);
	size_t start = 0;
	bool few = pick(random, 2) == 0;

	for (size_t i = 0; i < record->n_units; i++) {
		size_t with;

		if (record->gaps[i].is_barrier)
			start = i;
		order[i] = i;
		if (few && pick(random, 3) > 0)
			continue;
		with = start + pick(random, (unsigned)(i - start + 1));
		order[i] = order[with];
		order[with] = i;
	}
	return order;
}

static int string_compare(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Comments and directives of a text, sorted. */
static size_t collect_notes(struct rs_arena *arena, const char *text, size_t size, char ***ret_notes)
{
	struct rs_lexer lexer;
	struct rs_token token;
	char **notes = NULL;
	size_t n_notes = 0, capacity = 0;

	rs_lexer_init(&lexer, text, 0, size);
	while ((token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END) {
		size_t end = token.span.end;

		if (!rs_token_is_comment(token) && token.kind != RS_TOKEN_DIRECTIVE)
			continue;
		while (text[end - 1] == ' ')
			end--;
		*rs_array_push(arena, notes, n_notes, capacity) =
			rs_arena_strndup(arena, text + token.span.start, end - token.span.start);
	}
	if (n_notes > 0)
		qsort(notes, n_notes, sizeof *notes, string_compare);
	*ret_notes = notes;
	return n_notes;
}

static bool same_notes(struct rs_arena *arena, const struct rs_source *old, const struct rs_builder *new_text)
{
	char **old_notes, **new_notes;
	size_t n_old = collect_notes(arena, old->text, old->size, &old_notes);
	size_t n_new = collect_notes(arena, new_text->data, new_text->length, &new_notes);

	if (n_old != n_new)
		return false;
	for (size_t i = 0; i < n_old; i++)
		if (strcmp(old_notes[i], new_notes[i]) != 0)
			return false;
	return true;
}

static bool same_units(const struct rs_record *old, const size_t *order, const struct rs_record *new)
{
	if (old->n_units != new->n_units)
		return false;
	for (size_t i = 0; i < old->n_units; i++) {
		const struct rs_unit *a = &old->units[order[i]], *b = &new->units[i];
		size_t length = a->span.end - a->span.start;

		if (b->span.end - b->span.start != length || a->origin != b->origin ||
		    memcmp(old->source->text + a->span.start, new->source->text + b->span.start, length) != 0)
			return false;
	}
	return true;
}

/* Lone line feeds in a text that has CRLF, or the other way round. */
static bool mixes_line_ends(const char *text, size_t size)
{
	size_t n_lines = 0, n_returns = 0;

	for (size_t i = 0; i < size; i++) {
		n_lines += text[i] == '\n';
		n_returns += text[i] == '\r' && i + 1 < size && text[i + 1] == '\n';
	}
	return n_returns != 0 && n_returns != n_lines;
}

static unsigned most_blank_lines(const char *text, size_t size)
{
	unsigned run = 0, most = 1; /* one may be needed to keep a heading apart */
	bool is_blank = true;

	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n') {
			run = is_blank ? run + 1 : 0;
			most = run > most ? run : most;
			is_blank = true;
		} else if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') {
			is_blank = false;
		}
	}
	return most;
}

static bool restores(struct rs_arena *arena, const struct rs_record *old, const struct rs_edit *edits,
		     size_t count, const struct rs_source *edited)
{
	struct rs_edit *inverse = rs_edit_invert(arena, edited, edits, count);
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_edit_apply(edited, inverse, count, &text);
	return text.length == old->source->size && memcmp(text.data, old->source->text, text.length) == 0;
}

static const char *find_fault(struct rs_arena *arena, const struct rs_record *old, const size_t *order,
			      struct rs_builder *new_text)
{
	struct rs_edit *edits;
	struct rs_unit_scan scan;
	const struct rs_record *new;
	size_t count;

	rs_rewrite_order(arena, old, order, &edits, &count);
	for (size_t i = 0; i < count; i++)
		if (edits[i].span.start > edits[i].span.end ||
		    (i > 0 && edits[i].span.start <= edits[i - 1].span.end))
			return "edits overlap";
	rs_edit_apply(old->source, edits, count, new_text);
	new = record_from_bytes(arena, new_text->data, new_text->length, &scan);
	if (scan.refusal)
		return scan.refusal;
	if (!same_units(old, order, new))
		return "units differ";
	if (!same_notes(arena, old->source, new_text))
		return "comments differ";
	if (mixes_line_ends(new_text->data, new_text->length))
		return "line ends are mixed";
	if (most_blank_lines(new_text->data, new_text->length) >
	    most_blank_lines(old->source->text, old->source->size))
		return "blank lines pile up";
	return restores(arena, old, edits, count, new->source) ? NULL : "the inverse does not restore";
}

static void try_one(uint64_t seed)
{
	struct random random = { seed * UINT64_C(0x9e3779b97f4a7c15) + 1 };
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder old_text = { 0 }, new_text = { 0 };
	struct rs_unit_scan scan;
	const struct rs_record *record;
	const size_t *order;
	const char *fault;

	write_struct(&random, &old_text);
	record = record_from_bytes(arena, old_text.data, old_text.length, &scan);
	if (scan.refusal)
		fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, scan.refusal, old_text.data);
	order = random_order(&random, arena, record);
	fault = find_fault(arena, record, order, &new_text);
	if (!fault)
		return;
	print_message("seed %llu, order", (unsigned long long)seed);
	for (size_t i = 0; i < record->n_units; i++)
		print_message(" %zu", order[i]);
	print_message("\n---- before\n%s\n---- after\n%s\n", old_text.data, new_text.data ? new_text.data : "");
	fail_msg("%s", fault);
}

static void test_random_bodies(void **state)
{
	const char *seed = getenv("RS_SEED");

	(void)state;
	if (seed) {
		try_one(strtoull(seed, NULL, 10));
		return;
	}
	for (uint64_t i = 0; i < N_ITERATIONS; i++)
		try_one(i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_bodies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
