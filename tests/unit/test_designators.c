/* Initialisers by position, written with designators: what comes out, and what is refused. */
#include "records_fixture.h"

#include "parse/uses.h"
#include "text/edit.h"

struct row {
	const char *use;
	const char *wanted; /* the use as it becomes; "!…": refused, and why; "=": it stays as it is */
};

static const char definition[] =
	"struct in { int x; char y[4]; };\n"
	"struct s { char a; long b; unsigned w:3, :0, v:4; struct in in; struct { short lo; int hi; };\n"
	"\tunion { int i; float f; }; char text[8]; int n[2]; char *p; };\n"
	"struct both { union { struct { int one, two; }; long both; }; int three; };\n"
	"struct outer { char c; struct s s, more[2]; };\n"
	"struct deep { struct outer outer; int last; };\n"
	"typedef struct s alias;\n"
	"int sink(void *);\nint next(void);\n";

static const struct row plain[] = {
	{ "struct s v = { 1, 2 };", "struct s v = { .a = 1, .b = 2 };" },
	{ "struct s v = {1,2,3,4};", "struct s v = {.a = 1,.b = 2,.w = 3,.v = 4};" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, 6, 7, 8, \"t\", { 9 }, 0 };",
	  "struct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = { 5 }, .lo = 6, .hi = 7, .i = 8, .text = "
	  "\"t\", "
	  ".n = { 9 }, .p = 0 };" },
	{ "struct s v = { /* a */ 1, // b, }\n\t2 /* , */ , };",
	  "struct s v = { /* a */ .a = 1, // b, }\n\t.b = 2 /* , */ , };" },
	{ "alias v[] = { { 1, 2 }, { .b = 3 }, { 4 } };",
	  "alias v[] = { { .a = 1, .b = 2 }, { .b = 3 }, { .a = 4 } };" },
	{ "struct s v[3] = { [1] = { 1, 2 } };", "struct s v[3] = { [1] = { .a = 1, .b = 2 } };" },
	{ "struct outer v = { 'c', { 1, 2 }, { { 3, 4 } } };",
	  "struct outer v = { 'c', { .a = 1, .b = 2 }, { { .a = 3, .b = 4 } } };" },
	{ "struct outer v = { .s = { 1, 2 } };", "struct outer v = { .s = { .a = 1, .b = 2 } };" },
	{ "void f(void) { sink(&(struct s){ 1, 2 }); }",
	  "void f(void) { sink(&(struct s){ .a = 1, .b = 2 }); }" },
	{ "void f(void) { alias x = { 1, 2 }, y = { 3, sizeof(struct s) }; sink(&x); sink(&y); }",
	  "void f(void) { alias x = { .a = 1, .b = 2 }, y = { .a = 3, .b = sizeof(struct s) }; sink(&x); "
	  "sink(&y); }" },
	{ "void f(struct in i) { struct s v = { 1, 2, 3, 4, i, 5 }; sink(&v); }",
	  "void f(struct in i) { struct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = i, .lo = 5 }; sink(&v); "
	  "}" },
	{ "void f(void) { struct s v = { 1, 2, 3, 4, (struct in){ 5 } }; sink(&v); }",
	  "void f(void) { struct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = (struct in){ 5 } }; sink(&v); "
	  "}" },
	{ "#define ONE 1\n#define ADD(a, b) ((a) + (b))\nstruct s v = { ONE, ADD(1, 2) };",
	  "#define ONE 1\n#define ADD(a, b) ((a) + (b))\nstruct s v = { .a = ONE, .b = ADD(1, 2) };" },
	{ "struct s v = {};", "=" },
	{ "struct s v = { 0 };", "=" },
	{ "struct s v = { .b = 2, .a = 1 };", "=" },
	{ "struct s v = { a: 1 };", "=" },
	{ "struct outer v = { 0 };", "=" },
	{ "void f(struct s x) { struct outer v = { 'c', x, { x, x } }; sink(&v); }", "=" },
};

static const struct row mixed[] = {
	{ "struct s v = { .b = 1, 2 };", "struct s v = { .b = 1, .w = 2 };" },
	{ "struct s v = { 1, .v = 2, { 3 } };", "struct s v = { .a = 1, .v = 2, .in = { 3 } };" },
	{ "struct s v = { .in = { 1 }, 2 };", "struct s v = { .in = { 1 }, .lo = 2 };" },
	{ "struct s v = { .lo = 1, 2, 3 };", "struct s v = { .lo = 1, .hi = 2, .i = 3 };" },
	{ "struct s v = { b: 1, 2 };", "struct s v = { b: 1, .w = 2 };" },
	{ "struct s v = { 1, .in.x = 2 };", "struct s v = { .a = 1, .in.x = 2 };" },
	{ "#define B .b = 3\nstruct s v = { 1, B };", "#define B .b = 3\nstruct s v = { .a = 1, B };" },
	{ "struct s v = { .in.x = 2, 3 };", "!reaches into a member" },
	{ "struct s v = { .n[0] = 2, 3 };", "!reaches into a member" },
	{ "struct s v = { .f = 1, \"t\" };", "!reaches into a member" },
	{ "struct s v = { .in = 1, 2 };", "!reaches into a member" },
};

static const struct row refused[] = {
	{ "#define V { 1, 2 }\nstruct s v = V;", "!macro" },
	{ "#define V(x) { x, 2 }\nstruct s v = V(1);", "!macro V" },
	{ "#define ID(...) __VA_ARGS__\nstruct s v = ID({ 1, 2 });", "!macro" },
	{ "#define TWO 1, 2\nstruct s v = { TWO };", "!a macro makes its values" },
	{ "#define LATE , 2\nstruct s v = { 1 LATE };", "!a macro makes its values" },
	{ "#define EMPTY\nstruct s v = { EMPTY 1, 2 };", "!a macro makes its values" },
	{ "#define OPEN {\nstruct s v = OPEN 1, 2 };", "!macro" },
	{ "struct s v = { 1,\n#if 1\n\t2\n#endif\n};", "!directive" },
	{ "struct s v = { 1, 2, 3, 4, 5, \"ab\" };", "!braces were left out" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, { 6 } };", "!anonymous" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, 6, 7, { 8 } };", "!anonymous" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, 6, 7, 8, \"t\", 1, 2 };", "!braces were left out" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, 6, 7, 8, \"t\", { 9 }, 0, 1 };", "!more values" },
	{ "struct s v<::> = <% <% 1, 2 %> %>;", "!braces" },
	{ "struct outer v = { 'c', 1, 2 };", "!without braces" },
	{ "struct outer v = { .s = 1, 2 };", "!without braces" },
	{ "struct outer v = { .s.b = 1, 2 };", "!without braces" },
	{ "struct deep v = { 'c', 1, 2 };", "!without braces" },
	{ "struct deep v[2] = { { { 'c' } }, 'c', 0, 2 };", "!without braces" },
	{ "struct s v[2] = { 1, 2 };", "!without braces" },
	{ "struct s v[2] = { [1] = 1, 2 };", "!without braces" },
	{ "struct s v = { 1, 2 }, w = { 1, 2, 3, 4, 5 };", "!braces were left out" },
};

static const struct row unions[] = {
	{ "struct both v = { 1, 2, 3 };", "struct both v = { .one = 1, .two = 2, .three = 3 };" },
	{ "struct both v = { .two = 2, 3 };", "struct both v = { .two = 2, .three = 3 };" },
	{ "struct both v = { { 1 }, 2 };", "!anonymous" },
	{ "struct both v = { .both = 2, 3 };", "!reaches into a member" },
};

/* What holds the order: pairs "first<second". */
static const struct row orders[] = {
	{ "void f(void) { struct s v = { next(), next() }; sink(&v); }", "a<b" },
	{ "void f(void) { struct s v = { .b = next(), .a = next() }; sink(&v); }", "a<b" },
	{ "void f(int i) { struct s v = { .a = i++, .b = i }; sink(&v); }", "a<b" },
	{ "void f(int i) { struct s v = { .b = i, .a = (i += 2) }; sink(&v); }", "a<b" },
	{ "void f(char *q) { struct s v = { .a = *q++, .b = *q++ }; sink(&v); }", "a<b" },
	{ "void f(void *q) { struct s v = { .a = sink(q), .b = sink(q) }; sink(&v); }", "a<b" },
	{ "extern volatile int port;\nvoid f(void) { struct s v = { .a = port, .b = port }; sink(&v); }",
	  "a<b" },
	{ "void f(void) { struct s v = { next(), 2 }; sink(&v); }", "" },
	{ "void f(int i) { struct s v = { .a = i, .b = -i, .p = (char *)&i }; sink(&v); }", "" },
	{ "void f(int i, int j) { struct s v = { .a = i++, .b = j++ }; sink(&v); }", "" },
	{ "void f(void) { struct s v = { .a = sizeof(next()), .b = next() }; sink(&v); }", "" },
	{ "static int twice(int i) { return 2 * i; }\n"
	  "void f(int i) { struct s v = { .a = twice(i), .b = twice(i) }; sink(&v); }",
	  "" },
	{ "unsigned long length(const char *);\n"
	  "void f(char *q) { struct s v = { .a = length(q), .b = length(q) }; sink(&v); }",
	  "" },
};

struct found {
	struct parsed parsed;
	struct rs_pin_list pins;
	struct rs_initializer_list initializers;
};

static void find(struct found *found, const char *use, const char *record, const char *root)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct parsed *parsed = &found->parsed;
	const struct rs_parse_options options = { .has_flags = true, .with_bodies = true };
	const char *path = scratch_path("t.c");
	const struct rs_record_query query = { .file = path, .name = record };

	rs_builder_printf(&text, "%s%s\n", definition, use);
	scratch_write("t.c", text.data, text.length);
	*found = (struct found) { .parsed = { .arena = rs_arena_create() } };
	found->pins.arena = found->initializers.arena = parsed->arena;
	rs_notes_init(&parsed->notes, parsed->arena);
	assert_null(rs_parser_create(&options, &parsed->notes, &parsed->parser));
	assert_null(rs_tu_open(parsed->parser, path, &parsed->tu));
	assert_null(rs_records_find(parsed->tu, parsed->arena, &query, &parsed->records, &parsed->n_records));
	assert_int_equal(parsed->n_records, 1);
	rs_uses_find(parsed->tu, parsed->records, 1, root, &found->pins, &found->initializers);
}

static int by_place(const void *a, const void *b)
{
	const struct rs_edit *left = (const struct rs_edit *)a, *right = (const struct rs_edit *)b;

	return (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

/* What follows the definition once the insertions are made; "=" when nothing is. */
static const char *rewritten(struct found *found)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_edit edits[64];
	size_t count = 0;

	for (size_t i = 0; i < found->initializers.n_items; i++) {
		const struct rs_initializer *initializer = &found->initializers.items[i];

		for (size_t j = 0; j < initializer->n_insertions; j++) {
			size_t byte = initializer->insertions[j].byte;

			assert_true(count < RS_COUNT_OF(edits));
			edits[count++] = (struct rs_edit) { .source = initializer->source,
							    .span = { byte, byte },
							    .text = initializer->insertions[j].text,
							    .size = strlen(initializer->insertions[j].text) };
		}
	}
	if (count == 0)
		return "=";
	qsort(edits, count, sizeof *edits, by_place);
	rs_edit_apply(edits[0].source, edits, count, &text);
	assert_true(text.data[text.length - 1] == '\n');
	return rs_arena_strndup(found->parsed.arena, text.data + strlen(definition),
				text.length - strlen(definition) - 1);
}

static const char *refusal(const struct found *found)
{
	for (size_t i = 0; i < found->pins.n_pins; i++)
		if (found->pins.pins[i].refuses)
			return found->pins.pins[i].message;
	return NULL;
}

static void check_row(const struct row *row, const char *record)
{
	struct found found;

	find(&found, row->use, record, NULL);
	const char *reason = refusal(&found);
	if (row->wanted[0] == '!') {
		if (!reason || !strstr(reason, row->wanted + 1))
			fail_msg("%s\n  refused for '%s', wanted '%s'", row->use, reason ? reason : "nothing",
				 row->wanted + 1);
	} else {
		const char *got = rewritten(&found);

		if (reason)
			fail_msg("%s\n  is refused: %s", row->use, reason);
		if (strcmp(got, row->wanted) != 0)
			fail_msg("%s\n  becomes %s\n  wanted  %s", row->use, got, row->wanted);
	}
	parsed_end(&found.parsed);
}

static void check_rows(const struct row *rows, size_t count, const char *record)
{
	for (size_t i = 0; i < count; i++)
		check_row(&rows[i], record);
}

static void lists_are_named(void **state)
{
	(void)state;
	check_rows(plain, RS_COUNT_OF(plain), "s");
}

static void lists_with_some_names(void **state)
{
	(void)state;
	check_rows(mixed, RS_COUNT_OF(mixed), "s");
}

static void lists_that_cannot_be_named(void **state)
{
	(void)state;
	check_rows(refused, RS_COUNT_OF(refused), "s");
}

static void lists_over_unions(void **state)
{
	(void)state;
	check_rows(unions, RS_COUNT_OF(unions), "both");
}

static void values_hold_their_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(orders); i++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder got = { 0 };
		struct found found;

		find(&found, orders[i].use, "s", NULL);
		rs_builder_appends(&got, "");
		for (size_t c = 0; c < found.pins.n_constraints; c++) {
			const struct rs_constraint *constraint = &found.pins.constraints[c];
			const struct rs_unit *units = found.parsed.records[0]->units;

			assert_int_equal(constraint->kind, RS_KEEP_BEFORE);
			assert_string_equal(found.pins.pins[constraint->pin].code, "evaluation-order");
			rs_builder_printf(&got, "%s%s<%s", got.length ? " " : "", units[constraint->unit].name,
					  units[constraint->other].name);
		}
		if (strcmp(got.data, orders[i].wanted) != 0)
			fail_msg("%s\n  holds '%s', wanted '%s'", orders[i].use, got.data, orders[i].wanted);
		parsed_end(&found.parsed);
	}
}

static void files_outside_the_root(void **state)
{
	struct found found;

	(void)state;
	find(&found, "struct s v = { 1, 2 };", "s", "/usr");
	assert_non_null(refusal(&found));
	assert_non_null(strstr(refusal(&found), "outside the project root"));
	assert_int_equal(found.initializers.n_items, 0);
	parsed_end(&found.parsed);
}

/* What a program writes would be overwritten: a table in an included file here. */
static void generated_files(void **state)
{
	static const char marked[] = "/* Automatically generated by make-rows. Do not edit! */\n{ 1, 2 },\n";
	struct found found;

	(void)state;
	scratch_write("rows.h", marked, strlen(marked));
	find(&found, "struct s v[] = {\n#include \"rows.h\"\n};", "s", NULL);
	assert_non_null(refusal(&found));
	assert_non_null(strstr(refusal(&found), "the file is generated"));
	parsed_end(&found.parsed);
	scratch_write("rows.h", strchr(marked, '\n') + 1, strlen(strchr(marked, '\n') + 1));
	find(&found, "struct s v[] = {\n#include \"rows.h\"\n};", "s", NULL);
	assert_null(refusal(&found));
	assert_int_equal(found.initializers.n_items, 1);
	assert_string_equal(rs_path_basename(found.initializers.items[0].source->realpath), "rows.h");
	parsed_end(&found.parsed);
}

/* Two units that show the same list: once, and refused when they disagree. */
static void lists_seen_twice(void **state)
{
	struct found found;

	(void)state;
	find(&found, "struct s v = { 1, 2 };", "s", NULL);
	rs_uses_find(found.parsed.tu, found.parsed.records, 1, NULL, &found.pins, &found.initializers);
	assert_int_equal(found.initializers.n_items, 1);
	assert_int_equal(found.initializers.items[0].n_insertions, 2);
	assert_null(refusal(&found));
	found.initializers.items[0].n_insertions = 1;
	rs_uses_find(found.parsed.tu, found.parsed.records, 1, NULL, &found.pins, &found.initializers);
	assert_int_equal(found.initializers.items[0].n_insertions, 0);
	assert_non_null(refusal(&found));
	assert_non_null(strstr(refusal(&found), "another translation unit"));
	parsed_end(&found.parsed);
}

/* A place in the text of t.c. */
static size_t byte_of(const struct found *found, const char *text)
{
	const struct rs_source *source = found->parsed.records[0]->source;

	return (size_t)(strstr(source->text, text) - source->text);
}

static struct rs_error *check_text(struct found *found, const char *use, const struct rs_insertion *insertions,
				   size_t count, bool is_same_record)
{
	find(found, use, "s", NULL);
	const struct rs_record *record = found->parsed.records[0];
	struct rs_insertion moved[4];
	for (size_t i = 0; i < count; i++)
		moved[i] = (struct rs_insertion) { byte_of(found, insertions[i].text), insertions[i].text };
	const struct rs_designated list = { .path = record->source->realpath,
					    .byte = byte_of(found, "{ .a"),
					    .insertions = moved,
					    .n_insertions = count,
					    .record_path = record->source->realpath,
					    .record_byte = record->span.start + !is_same_record };

	return rs_uses_check(found->parsed.tu, &list, 1);
}

static void new_texts_are_checked(void **state)
{
	static const struct rs_insertion two[] = { { 0, ".a = " }, { 0, ".b = " } };
	struct found found;
	struct rs_error *error;

	(void)state;
	assert_null(check_text(&found, "struct s v = { .a = 1, .b = 2 };", two, 2, true));
	parsed_end(&found.parsed);
	error = check_text(&found, "struct s v = { .a = 1, .b = 2 };", two, 2, false);
	assert_non_null(strstr(error->message, "another type"));
	rs_error_destroy(error);
	parsed_end(&found.parsed);
	error = check_text(&found, "struct s v = { .a = 1, .b = 2, 3 };", two, 2, true);
	assert_non_null(strstr(error->message, "without one"));
	rs_error_destroy(error);
	parsed_end(&found.parsed);
	error = check_text(&found, "#define b w\nstruct s v = { .a = 1, .b = 2 };", two, 2, true);
	assert_non_null(strstr(error->message, "does not name"));
	rs_error_destroy(error);
	parsed_end(&found.parsed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_named),
		cmocka_unit_test(lists_with_some_names),
		cmocka_unit_test(lists_that_cannot_be_named),
		cmocka_unit_test(lists_over_unions),
		cmocka_unit_test(values_hold_their_order),
		cmocka_unit_test(files_outside_the_root),
		cmocka_unit_test(generated_files),
		cmocka_unit_test(lists_seen_twice),
		cmocka_unit_test(new_texts_are_checked),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
