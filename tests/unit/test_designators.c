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
	{ "#define ROWS(X) X(1, 2) X(3, 4)\n#define Y(x, y) { x, y },\nstruct s v[] = { ROWS(Y) };",
	  "#define ROWS(X) X(1, 2) X(3, 4)\n#define Y(x, y) { .a = x, .b = y },\nstruct s v[] = { ROWS(Y) };" },
	{ "struct s v = { 1,\n#define X 2\n\tX\n};", "struct s v = { .a = 1,\n#define X 2\n\t.b = X\n};" },
	{ "struct s v[] = {\n#define X { 1, 2 }\n\tX,\n#undef X\n\t{ 3 } };",
	  "struct s v[] = {\n#define X { .a = 1, .b = 2 }\n\tX,\n#undef X\n\t{ .a = 3 } };" },
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
	{ "struct s v = { .in.x = 2, 3 };", "=" },
	{ "struct s v = { .in.x = 2, { 3 }, 4 };", "struct s v = { .in.x = 2, { 3 }, .lo = 4 };" },
	{ "struct s v = { .n[0] = 2, 3, 0 };", "struct s v = { .n[0] = 2, 3, .p = 0 };" },
	{ "struct s v = { .f = 1, \"t\" };", "struct s v = { .f = 1, .text = \"t\" };" },
	{ "struct s v = { .in = 1, 2 };", "=" },
};

/* Braces that a macro's body or argument spells, and values of macros. */
static const struct row macros[] = {
	{ "#define V { 1, 2 }\nstruct s v = V;", "#define V { .a = 1, .b = 2 }\nstruct s v = V;" },
	{ "#define V(x) { x, 2 }\nstruct s v = V(1), w = V(3);",
	  "#define V(x) { .a = x, .b = 2 }\nstruct s v = V(1), w = V(3);" },
	{ "#define V(x, y) { (x), \\\n\ty }\nstruct s v[] = { V(1, 2), V(3, (4, 5)) };",
	  "#define V(x, y) { .a = (x), \\\n\t.b = y }\nstruct s v[] = { V(1, 2), V(3, (4, 5)) };" },
	{ "#define V(x) { x, 2 }\n#define D(n) struct s n = V(1)\nD(v);",
	  "#define V(x) { .a = x, .b = 2 }\n#define D(n) struct s n = V(1)\nD(v);" },
	{ "#define ID(...) __VA_ARGS__\nstruct s v = ID({ 1, 2 });",
	  "#define ID(...) __VA_ARGS__\nstruct s v = ID({ .a = 1, .b = 2 });" },
	{ "#define ARRAY(t, ...) t rows[] = { __VA_ARGS__ }\nARRAY(struct s, { 1, 2 }, { 3 });",
	  "#define ARRAY(t, ...) t rows[] = { __VA_ARGS__ }\nARRAY(struct s, { .a = 1, .b = 2 }, { .a = 3 "
	  "});" },
	{ "#define TABLE ROW(1, 2) ROW(3, 4)\n#define ROW(x, y) { x, y },\nstruct s v[] = { TABLE };",
	  "#define TABLE ROW(1, 2) ROW(3, 4)\n#define ROW(x, y) { .a = x, .b = y },\nstruct s v[] = { TABLE "
	  "};" },
	{ "#define TABLE ROW(1, 2)\n#define ROW(x, y) x,\nint n[] = { TABLE };\n#undef ROW\n"
	  "#define ROW(x, y) { x, y },\nstruct s v[] = { TABLE };",
	  "#define TABLE ROW(1, 2)\n#define ROW(x, y) x,\nint n[] = { TABLE };\n#undef ROW\n"
	  "#define ROW(x, y) { .a = x, .b = y },\nstruct s v[] = { TABLE };" },
	{ "#define GLUE(x) sx##x\n#define sx1 { 1, 2 }\nstruct s v = GLUE(1);",
	  "#define GLUE(x) sx##x\n#define sx1 { .a = 1, .b = 2 }\nstruct s v = GLUE(1);" },
	{ "#define NEW(x) ({ struct s n = { x, 2 }; n; })\nvoid f(void) { struct s v = NEW(1); sink(&v); }",
	  "#define NEW(x) ({ struct s n = { .a = x, .b = 2 }; n; })\nvoid f(void) { struct s v = NEW(1); "
	  "sink(&v); }" },
	{ "#define LIT(x) ((struct s){ x, 2 })\nvoid f(void) { struct s v = LIT(1); sink(&v); }",
	  "#define LIT(x) ((struct s){ .a = x, .b = 2 })\nvoid f(void) { struct s v = LIT(1); sink(&v); }" },
	{ "#define ARR { 5 }\nstruct s v = { 1, 2, 3, 4, ARR };",
	  "#define ARR { 5 }\nstruct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = ARR };" },
	{ "#define TWO 1, 2\nstruct s v = { TWO };", "!a macro makes its values" },
	{ "#define LATE , 2\nstruct s v = { 1 LATE };", "!a macro makes its values" },
	{ "#define EMPTY\nstruct s v = { EMPTY 1, 2 };", "!a macro makes its values" },
	{ "#define OPEN {\nstruct s v = OPEN 1, 2 };", "!macro" },
	{ "#define OPEN {\n#define BOTH(x) OPEN x, 2 }\nstruct s v = BOTH(1);", "!different macros" },
	{ "#define V(x) { x, 2 }\nstruct s v = V(1);\n#undef V\n#define V(x) { x, 3 }\n#define W V(1)\n"
	  "struct s w = W;",
	  "#define V(x) { .a = x, .b = 2 }\nstruct s v = V(1);\n#undef V\n#define V(x) { .a = x, .b = 3 }\n"
	  "#define W V(1)\nstruct s w = W;" },
};

/* Braces that are left out, or stand for an anonymous struct. */
static const struct row elided[] = {
	{ "struct s v = { 1, 2, 3, 4, 5, \"ab\" };",
	  "struct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = { 5, \"ab\" } };" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, { 6 } };",
	  "struct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = { 5 }, .lo = 6 };" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, { 6, /* h */ 7, }, {8} };",
	  "struct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = { 5 }, .lo = 6, /* h */ .hi = 7, .i = 8 };" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, 6, 7, { .f = 8 } };",
	  "struct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = { 5 }, .lo = 6, .hi = 7, .f = 8 };" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, 6, 7, 8, \"t\", 1, 2 };",
	  "struct s v = { .a = 1, .b = 2, .w = 3, .v = 4, .in = { 5 }, .lo = 6, .hi = 7, .i = 8, .text = "
	  "\"t\", "
	  ".n = { 1, 2 } };" },
	{ "struct outer v = { 'c', 1, 2 };", "struct outer v = { 'c', { .a = 1, .b = 2 } };" },
	{ "struct outer v = { .s = 1, 2 };", "struct outer v = { .s = { .a = 1, .b = 2 } };" },
	{ "struct deep v = { 'c', 1, 2 };", "struct deep v = { 'c', { .a = 1, .b = 2 } };" },
	{ "struct deep v[2] = { { { 'c' } }, 'c', 0, 2 };",
	  "struct deep v[2] = { { { 'c' } }, 'c', { .a = 0, .b = 2 } };" },
	{ "struct s v[2] = { 1, 2 };", "struct s v[2] = { { .a = 1, .b = 2 } };" },
	{ "struct s v[2] = { [1] = 1, 2 };", "struct s v[2] = { [1] = { .a = 1, .b = 2 } };" },
	{ "struct s v[4] = { [0 ... 2] = { 1, 2 } };", "struct s v[4] = { [0 ... 2] = { .a = 1, .b = 2 } };" },
	{ "struct s v[2][2] = { { { 1 }, { 2, 3 } } };",
	  "struct s v[2][2] = { { { .a = 1 }, { .a = 2, .b = 3 } } };" },
	{ "union u { struct s s; int i; };\nunion u v = { { 1, 2 } }, w = { 3, 4 };",
	  "union u { struct s s; int i; };\nunion u v = { { .a = 1, .b = 2 } }, w = { { .a = 3, .b = 4 } };" },
};

static const struct row refused[] = {
	{ "struct s v = { 1,\n#pragma GCC poison x\n\t2\n};", "!directive" },
	{ "struct s v[] = { { 1, 2 },\n#ifdef X\n\t{ 3, 4 }\n#endif\n};", "!-DX shows" },
	{ "struct s v[] = { { 1, 2 },\n#ifndef X\n\t{ 3, 4 }\n#else\n{ 1 }\n#endif\n};", "!-DX" },
	{ "struct s v[] = { { 1,\n#ifndef X\n\t3 },\n#else\n4 },\n#endif\n};", "!#if parts" },
	{ "struct s v = { 1,\n#ifndef X\n\t3\n#endif\n};", "!2 lists" },
	{ "struct s v = { 1,\n#if 1\n#if 1\n\t3\n#endif\n#endif\n};", "!#if inside #if" },
	{ "struct s v[] = { 1,\n#if 1\n\t3,\n#endif\n4 };", "!lack braces" },
	{ "struct s v[] = {\n#include \"rows-x.h\"\n};", "!-DX shows" },
	{ "struct s v = { 1, 2, 3, 4, { 5 }, 6, 7, 8, \"t\", { 9 }, 0, 1 };", "!more values" },
	{ "struct s v<::> = <% <% 1, 2 %> %>;", "!braces" },
	{ "struct outer v = { .s.b = 1, 2 };", "!reaches into" },
};

/* #if among values and rows, where what is not read gives nothing by position. */
static const struct row branches[] = {
	{ "struct s v = { 1,\n#if 1\n\t2\n#endif\n};", "struct s v = { .a = 1,\n#if 1\n\t.b = 2\n#endif\n};" },
	{ "struct s v = { 1,\n#if 0\n{ 9, 9\n#else\n2,\n#endif\n};", "!#if parts" },
	{ "struct s v = { 1,\n#if 0\n9, 9,\n#else\n2,\n#endif\n};",
	  "struct s v = { .a = 1,\n#if 0\n9, 9,\n#else\n.b = 2,\n#endif\n};" },
	{ "struct s v[] = { { 1, 2 },\n#ifdef X\n\t{ .b = 1 },\n#endif\n};",
	  "struct s v[] = { { .a = 1, .b = 2 },\n#ifdef X\n\t{ .b = 1 },\n#endif\n};" },
	{ "#define R(x) { x, 2 }\nstruct s v[] = { R(1),\n#ifdef X\n\tR(2), R((3, 4)),\n#endif\n};",
	  "#define R(x) { .a = x, .b = 2 }\nstruct s v[] = { R(1),\n#ifdef X\n\tR(2), R((3, 4)),\n#endif\n};" },
	{ "struct s v[] = { { 1, 2 },\n#ifdef X\n\t[2] = { .in = { .x = 1 } }, { .b = 1 }\n#endif\n};",
	  "struct s v[] = { { .a = 1, .b = 2 },\n#ifdef X\n\t[2] = { .in = { .x = 1 } }, { .b = 1 "
	  "}\n#endif\n};" },
	{ "struct s v[] = { { 1, 2 },\n#ifdef X\n\t[2] = { .in = { 1 } },\n#endif\n};", "!-DX" },
	{ "#define R(x) { x, 2 }\nstruct s v[] = { { 1, 2 },\n#ifdef X\n\tR(2),\n#endif\n};", "!-DX" },
	{ "#define R(x) { x, 2 }\nstruct s v[] = { R(1),\n#ifdef X\n\tR(((struct s){ 1, 2 }).b),\n#endif\n};",
	  "!-DX" },
};

static const struct row unions[] = {
	{ "struct both v = { 1, 2, 3 };", "struct both v = { .one = 1, .two = 2, .three = 3 };" },
	{ "struct both v = { .two = 2, 3 };", "struct both v = { .two = 2, .three = 3 };" },
	{ "struct both v = { { 1 }, 2 };", "struct both v = { .one = 1, .three = 2 };" },
	{ "struct both v = { .both = 2, 3 };", "struct both v = { .both = 2, .three = 3 };" },
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
	rs_uses_settle(&found->initializers, &found->pins);
}

/* What follows the definition once the designators are written; "=" when none are. */
static const char *rewritten(struct found *found)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_edit edits[64];
	size_t count = 0;

	for (size_t i = 0; i < found->initializers.n_items; i++) {
		const struct rs_initializer *initializer = &found->initializers.items[i];

		for (size_t j = 0; j < initializer->n_designators; j++) {
			const struct rs_text_change *change = &initializer->designators[j];

			assert_true(count < RS_COUNT_OF(edits));
			edits[count++] = (struct rs_edit) { .source = initializer->source,
							    .span = change->span,
							    .text = change->text,
							    .size = strlen(change->text) };
		}
	}
	if (count == 0)
		return "=";
	rs_edit_sort(found->parsed.arena, edits, count);
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
	static const char included[] = "#ifdef X\n{ 3, 4 },\n#endif\n{ 1, 2 },\n";

	(void)state;
	scratch_write("rows-x.h", included, strlen(included));
	check_rows(refused, RS_COUNT_OF(refused), "s");
}

static void lists_with_branches(void **state)
{
	(void)state;
	check_rows(branches, RS_COUNT_OF(branches), "s");
}

static void lists_that_macros_make(void **state)
{
	(void)state;
	check_rows(macros, RS_COUNT_OF(macros), "s");
}

static void lists_without_braces(void **state)
{
	(void)state;
	check_rows(elided, RS_COUNT_OF(elided), "s");
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

/* What a program writes would be overwritten, unless its user knows better: a table in an included file here.
 */
static void generated_files(void **state)
{
	static const char marked[] = "/* Automatically generated by make-rows. Do not edit! */\n{ 1, 2 },\n";
	struct found found;

	(void)state;
	scratch_write("rows.h", marked, strlen(marked));
	find(&found, "struct s v[] = {\n#include \"rows.h\"\n};", "s", NULL);
	assert_non_null(refusal(&found));
	assert_non_null(strstr(refusal(&found), "a file that a program wrote"));
	assert_int_equal(found.initializers.n_items, 1); /* for who overrules it */
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
	assert_int_equal(found.initializers.items[0].n_values, 2);
	assert_null(refusal(&found));
	found.initializers.items[0].n_values = 1;
	rs_uses_find(found.parsed.tu, found.parsed.records, 1, NULL, &found.pins, &found.initializers);
	assert_int_equal(found.initializers.items[0].n_values, 0);
	assert_non_null(refusal(&found));
	assert_non_null(strstr(refusal(&found), "another translation unit"));
	parsed_end(&found.parsed);
}

/* Pairs of texts, and whether they give the same values. */
struct pair {
	const char *a, *b;
	bool all, is_same;
};

static const struct pair pairs[] = {
	{ "struct s v = { 1, 2 };", "struct s v = { .b = 2, .a = 1 };", false, true },
	{ "struct s v = { 1, 2 };", "struct s v = { .b = 1, .a = 2 };", false, false },
	{ "struct s v = { 1, 2, 0 };", "struct s v = { 1, 2 };", false, true },
	{ "struct s v = { 1, 2 };", "struct s v = { 1, 2, 3 };", false, false },
	{ "struct s v[] = { 1, 2, 3, 4, 5 };", "struct s v[] = { { .w = 3, 4, 5, .b = 2, .a = 1 } };", false,
	  true },
	{ "struct outer v = { 'c', 1, 2 };", "struct outer v = { .s = { .b = 2, .a = 1 }, .c = 'c' };", false,
	  true },
	{ "struct outer v = { 'c', 1, 2 };", "struct outer v = { .s = { .b = 1, .a = 2 }, .c = 'c' };", false,
	  false },
	{ "struct s v = { .lo = 5, 6, 7 };", "struct s v = { .i = 7, .hi = 6, .lo = 5 };", false, true },
	{ "struct s v = { .lo = 5, 6, 7 };", "struct s v = { .f = 7, .hi = 6, .lo = 5 };", false, false },
	{ "struct s v = { .n = { 1, 2 } };", "struct s v = { .n = { [1] = 2, [0] = 1 } };", false, true },
	{ "struct s v = { .n = { 1, 2 } };", "struct s v = { .n = { [1] = 1, [0] = 2 } };", false, false },
	{ "struct s v = { .text = \"ab\" };", "struct s v = { .text = \"ac\" };", false, false },
	{ "int k; struct s v = { .p = (char *)&k };", "int k, j; struct s v = { .p = (char *)&j };", false,
	  false },
	{ "void f(int x, int y) { struct s v = { .a = x + y }; sink(&v); }",
	  "void f(int x, int y) { struct s v = { .a = x - y }; sink(&v); }", false, false },
	{ "void f(int x) { struct s v = { .a = x, .b = ~x }; sink(&v); }",
	  "void f(int x) { struct s v = { .a = x, .b = -x }; sink(&v); }", false, false },
	{ "#define V { 1, 2 }\nstruct s v = V;", "#define V { .b = 2, .a = 1 }\nstruct s v = V;", false, true },
	{ "#define V { 1, 2 }\nstruct s v = V;", "#define V { 2, 1 }\nstruct s v = V;", false, false },
	{ "struct s v = { sizeof(struct s), 2 };", "struct s v = { .b = 2, .a = sizeof(struct s) };", false,
	  true },
	{ "void f(void) { sink(&(struct s){ 1, 2 }); }", "void f(void) { sink(&(struct s){ 2, 1 }); }", false,
	  false },
	{ "struct s v; int w[] = { 1, 2 };", "struct s v; int w[] = { 2, 1 };", false, true },
	{ "struct s v; int w[] = { 1, 2 };", "struct s v; int w[] = { 2, 1 };", true, false },
	{ "struct s v = { 1 };", "struct s v; struct s w;", false, false },
};

static void values_are_compared(void **state)
{
	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(pairs); i++) {
		const struct rs_lifting none = { 0 };
		const struct pair *pair = &pairs[i];
		struct rs_tu *after;
		struct found found;

		find(&found, pair->a, "s", NULL);
		const char *path = found.parsed.records[0]->source->realpath;
		char *text = rs_arena_printf(found.parsed.arena, "%s%s\n", definition, pair->b);
		const struct rs_buffer buffer = { path, text, strlen(text) };
		assert_null(rs_tu_reopen(found.parsed.tu, &buffer, 1, &after));
		struct rs_error *error = rs_uses_compare(
			rs_uses_read_lists(found.parsed.tu, found.parsed.arena, pair->all, none), after, pair->all,
			none);
		if (!error != pair->is_same)
			fail_msg("%s\n%s\n  found %s", pair->a, pair->b, error ? error->message : "the same");
		assert_true(!error || error->code == RS_ERROR_REJECTED);
		rs_error_destroy(error);
		rs_tu_destroy(after);
		parsed_end(&found.parsed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_named),
		cmocka_unit_test(lists_with_some_names),
		cmocka_unit_test(lists_that_cannot_be_named),
		cmocka_unit_test(lists_with_branches),
		cmocka_unit_test(lists_that_macros_make),
		cmocka_unit_test(lists_without_braces),
		cmocka_unit_test(lists_over_unions),
		cmocka_unit_test(values_hold_their_order),
		cmocka_unit_test(files_outside_the_root),
		cmocka_unit_test(generated_files),
		cmocka_unit_test(lists_seen_twice),
		cmocka_unit_test(values_are_compared),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
