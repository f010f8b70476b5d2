/* Uses that depend on the order of a record's members: each kind firing, and what looks like it staying silent.
 */
#include "records_fixture.h"

#include "parse/uses.h"

/* What a use of `struct s` after its definition must come to: "code:line …" of what is found, in order. */
struct row {
	const char *use;
	const char *found;
};

static const char definition[] =
	"#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n#include <stdio.h>\n"
	"struct base { int tag; };\n"
	"struct s { struct base base; long n; char *p; char text[8]; uint64_t a, b; };\n"
	"struct holds { char c; struct s inside; int last; };\n"
	"struct other { long x; };\n"
	"typedef struct s alias;\n"
	"struct p { char *first; long second; };\n"
	"int sink(void *);\n"; /* 11 lines */

static const struct row lists[] = {
	{ "struct s v = { { 1 }, 2 };", "positional-initializer:12" },
	{ "struct s v = { 1, 2, 0 };", "positional-initializer:12" },
	{ "alias v[] = { { { 1 }, 2 }, { .n = 1 } };", "positional-initializer:12" },
	{ "struct s v = { .n = 2, 0 };", "positional-initializer:12" },
	{ "struct s v[2] = { 1, 2, 0, \"x\", 3, 4, 5 };", "positional-initializer:12" },
	{ "struct holds v = { 'c', { { 1 }, 2 }, 3 };", "positional-initializer:12" },
	{ "struct holds v = { 'c', 1, 2 };", "positional-initializer:12" },
	{ "#define MAKE(x) { { (x) }, 5 }\nstruct s v = MAKE(3);", "positional-initializer:13" },
	{ "void f(void) { sink(&(struct s){ { 1 }, 2 }); }", "first-member-cast:12 positional-initializer:12" },
	{ "union u { int i; struct s s; } v = { .s.n = 4, 0 };", "positional-initializer:12" },
	{ "struct s v = { n: 3 };", "" },
	{ "struct s v = { 0 };", "" },
	{ "struct s v = { { 0 } };", "" },
	{ "struct s v = {};", "" },
	{ "struct s v = { .base = { 1 }, .n = 2 };", "" },
	{ "struct s v[3] = { [1] = { .n = 2 } };", "" },
	{ "struct holds v = { 'c' };", "" },
	{ "struct holds v = { .inside = { .n = 2 } };", "" },
	{ "void f(struct s *x) { struct s v = *x; struct holds h = { 'c', v, 1 }; sink(&h); }", "" },
};

static const struct row casts[] = {
	{ "struct base *f(struct s *x) { return (struct base *)x; }", "first-member-cast:12" },
	{ "struct s *f(struct base *x) { return (struct s *)x; }", "first-member-cast:12" },
	{ "struct other *f(struct s *x) { return (struct other *)x; }", "type-pun:12" },
	{ "#define REGS ((struct s *)0x40001000)\nlong f(void) { return REGS->n; }", "fixed-address:13" },
	{ "void *f(struct s *x) { return (__int128 *)&x->a; }", "wide-access:12" },
	{ "void f(struct s *x) { __asm__ volatile(\"nop\" : : \"r\"(x)); }", "inline-assembly:12" },
	{ "void f(struct s *x) { __asm__ volatile(\"\" : : \"r\"(x)); }", "" },
	{ "long f(struct s *x) { __asm__(\"\" \"nop\" : \"+r\"(x)); return x->n; }", "inline-assembly:12" },
	{ "char *f(struct s *x) { return (char *)x; }", "" },
	{ "struct s *f(void *x) { return (struct s *)x; }", "" },
	{ "struct s *f(long *n) { return (struct s *)((char *)n - offsetof(struct s, n)); }", "" },
	{ "size_t f(void) { return (size_t)&((struct s *)0)->n; }", "" },
	{ "struct holds; struct opaque; struct opaque *f(struct s *x) { return (struct opaque *)x; }", "" },
	{ "struct down { struct s s; }; struct down *f(struct s *x) { return (struct down *)x; }", "" },
	{ "uint32_t f(struct s *x) { return *(uint32_t *)&x->a; }", "" },
	{ "void f(struct s *x) { __asm__ volatile(\"\" : \"+r\"(x->n)); }", "" },
	{ "uintptr_t f(struct s *x) { return (uintptr_t)x; }", "" },
	{ "int f(struct s *x) { return x == (struct s *)(long)1; }", "" },
	{ "struct s *f(void ***x) { return (struct s *)x[1]; }", "" },
};

static const struct row calls[] = {
	{ "long f(const unsigned char *p) { const struct s *x = (const struct s *)p; return x->n; }",
	  "layout-escapes:12" },
	{ "static long f(const unsigned char *p) { return ((const struct s *)p)->n; }\n"
	  "long g(struct s *x) { return f((const unsigned char *)x); }",
	  "" },
	{ "long f(char *p) { struct s *x = (struct s *)p; return x->n; }", "" },
	{ "void f(struct s *x, FILE *o) { fwrite(x, sizeof *x, 1, o); }", "layout-escapes:12" },
	{ "int f(struct s *x, struct s *y) { return memcmp(x, y, sizeof *x); }", "layout-escapes:12" },
	{ "void f(struct s *x, unsigned char *b) { memcpy(b, x, sizeof *x); }", "layout-escapes:12" },
	{ "void f(struct s *x) { char b[99]; memcpy(x, b, sizeof *x); }", "layout-escapes:12" },
	{ "void f(struct s *x) { memset(&x->a, 0, sizeof x->a + sizeof x->b); }", "member-range:12" },
	{ "void f(struct s *x, struct s *y) { memcpy(&x->text, &y->text, 24); }", "member-range:12" },
	{ "void f(struct s *x) { memset(x->text, 0, sizeof *x - offsetof(struct s, text)); }",
	  "member-range:12" },
	{ "void f(struct s *x, struct s *y) { memcpy(x, y, offsetof(struct s, a)); }", "offset-as-length:12" },
	{ "void f(struct s *x, struct s *y) { memcpy(x, y, sizeof *x); }", "" },
	{ "void f(struct s *x) { memset(x, 0, sizeof *x); }", "" },
	{ "void f(struct s *x) { memset(&x->a, 0, sizeof x->a); }", "" },
	{ "void f(struct s *x) { memset(x->text, 0, sizeof x->text); }", "" },
	{ "void f(struct s *x, FILE *o) { fwrite(x->text, 1, 8, o); }", "" },
	{ "void f(struct s *x, FILE *o) { fwrite(&x->n, sizeof x->n, 1, o); }", "" },
	{ "int ioctl(int, unsigned long, ...); int f(struct s *x) { return ioctl(1, 2, &x->n); }", "" },
	{ "int ioctl(int, unsigned long, ...); int f(struct s *x) { return ioctl(1, 2, x); }",
	  "layout-escapes:12" },
	{ "void f(struct s *x) { memset(&x->a, 0, (size_t)((char *)&x->b - (char *)&x->a) + 8); }",
	  "member-range:12" },
	{ "void f(struct s *x, char *y) { memcpy(x->p, y, (size_t)x->n); }", "" },
	{ "struct io { int (*write)(int, struct s *, long); }; int f(struct io *o, struct s *x) { return "
	  "o->write(1, x, 2); }",
	  "" },
	{ "long write(int, const void *, size_t); long f(struct s *x) { return write(1, x, sizeof *x); }",
	  "layout-escapes:12" },
	{ "void f(struct s *x) { memset(x->p, 0, 4096); }", "" },
	{ "long read(int, void *, size_t); long f(struct s *x) { return read((int)x->n, x->p, 4096); }", "" },
	{ "void f(struct s *x) { sink(x); }", "first-member-cast:12" },
	{ "void release_free(void *); void f(struct s *x) { release_free(x); }", "" },
};

static const struct row bounds[] = {
	{ "int f(struct s *x) { int i = 9; if (i > 7) i = 0; return x->text[i]; }", "" },
	{ "int f(struct s *x) { char **all = &x->p; return *all[1]; }", "member-range:12" },
	{ "long f(struct holds *h) { struct s *x = &h->inside; return x[1].n; }", "" }, /* another struct's */
	{ "int f(struct s *x) { return (&x->base + 1)->tag; }", "member-range:12" },
	{ "int f(struct s *x, int i) { return (&x->base)[i].tag; }", "member-range:12" },
	{ "void f(struct s *x) { strcpy(x->text, \"12345678\"); }", "member-range:12" },
	{ "void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); "
	  "int compare(const void *, const void *); void f(struct s *x) { qsort(&x->a, 2, 8, compare); }",
	  "member-range:12" },
	{ "int f(void) { return sizeof(struct s) != 48; }", "sizeof-in-constant:12" },
	{ "int f(void) { return sizeof(struct s) != 56; }", "" },
	{ "int f(int n) { struct s v[2]; return n * sizeof v[0] == sizeof v; }", "" },
	{ "void f(struct s *x) { strcpy(x->text, \"1234567\"); }", "" },
	{ "int f(struct s *x) { struct base *b = &x->base; return b->tag + b[0].tag + (*b).tag; }", "" },
	{ "int f(struct s *x, char **other) { char **all = &x->p; all = other; return *all[1]; }", "" },
	{ "char *f(struct s *x) { char **end = &x->p; return *end; }", "" },
	{ "enum { A = offsetof(struct s, n), B = offsetof(struct s, a) };\n"
	  "void f(struct s *x) { memset((char *)x + A, 0, B - A); }",
	  "member-range:13" },
	{ "void f(struct s *x, struct s *y) { size_t n = offsetof(struct s, a); memcpy(x, y, n); }",
	  "offset-as-length:12" },
	{ "int f(size_t at) { return at >= offsetof(struct s, n); }", "member-range:12" },
	{ "int f(void) { return offsetof(struct s, a) == 24; }", "member-range:12" },
	{ "static const size_t t[] = { offsetof(struct s, n), offsetof(struct s, a) };\n"
	  "int f(int i) { return t[i] < t[i + 1]; }",
	  "member-range:13" },
	{ "static const size_t t[] = { offsetof(struct s, n), offsetof(struct s, a) };\n"
	  "void f(FILE *o) { fwrite(t, sizeof t, 1, o); }",
	  "member-range:13" },
	{ "void f(struct s *x) { memset((char *)x + sizeof(struct base), 0, 8); }", "member-range:12" },
	{ "int f(size_t at) { return at == offsetof(struct s, a); }", "" },
	{ "int f(size_t n) { return n < offsetof(struct s, b); }", "offset-as-length:12" }, /* the last one */
	{ "long f(size_t n, char *p) { size_t at = offsetof(struct s, n); while (at < n) at += (size_t)p[at]; "
	  "return (long)at; }",
	  "" },
	{ "static const size_t t[] = { offsetof(struct s, n), offsetof(struct s, a) };\n"
	  "char *f(struct s *x, int i) { return (char *)x + t[i]; }",
	  "" },
	{ "int f(struct s *x) { int t = 0; for (int i = 0; i < 9; i++) t += x->text[i]; return t; }",
	  "member-range:12" },
	{ "int f(struct s *x) { int t = 0, i; for (i = 8; i >= 0; --i) t += x->text[i]; return t; }",
	  "member-range:12" },
	{ "int f(struct s *x) { int t = 0, i = 9; while (i-- > 0) t += x->text[i]; return t; }",
	  "member-range:12" },
	{ "int f(struct s *x) { int t = 0, i = 0; do t += x->text[i]; while (++i <= 8); return t; }",
	  "member-range:12" },
	{ "int f(struct s *x) { int t = 0; for (int i = 0; i < 8; i++) t += x->text[i + 1]; return t; }",
	  "member-range:12" },
	{ "int f(struct s *x) { int t = 0; for (int i = -1; i < 2; i++) t += x->text[i]; return t; }",
	  "member-range:12" },
	{ "int f(struct s *x) { int t = 0; char *p = x->text; for (int i = 0; i < 9; i++) t += p[i]; return t; "
	  "}",
	  "member-range:12" },
	{ "int f(struct s *x) { int t = 0; for (char *p = x->text; p < x->text + 9; p++) t += *p; return t; }",
	  "member-range:12" },
	{ "int f(struct s *x) { int t = 0; for (char *p = x->text; p < (char *)&x->b; p++) t += *p; return t; "
	  "}",
	  "member-range:12" },
	{ "static int sum(const char *p, int n) { int t = 0; while (n--) t += *p++; return t; }\n"
	  "int f(struct s *x) { return sum(x->text, 16); }",
	  "member-range:13" },
	{ "static void put(char *p, size_t n) { memset(p, 0, n); }\n"
	  "static void put2(char *p, size_t n) { put(p, n); }\n"
	  "void f(struct s *x) { put2(x->text, 16); }",
	  "member-range:14" },
	{ "static int sum(const char *p) { int t = 0; for (int i = 0; i < 16; i++) t += p[i]; return t; }\n"
	  "int f(struct s *x) { return sum(x->text); }",
	  "member-range:12" },
	{ "void f(struct s *x) { size_t n = 16; memset(x->text, 0, n); }", "member-range:12" },
	{ "void f(struct s *x) { strncpy(x->text, \"a\", 16); }", "member-range:12" },
	{ "void f(struct s *x, FILE *o) { fread(&x->a, sizeof x->a, 2, o); }", "member-range:12" },
	{ "struct d { struct { int v[2]; } in; int w; };\n"
	  "int g(struct d *x) { int t = 0; for (int i = 0; i < 3; i++) t += x->in.v[i]; return t; }",
	  "" }, /* another struct's */
	{ "int f(struct s *x) { int t = 0; for (int i = 0; i < 8; i++) t += x->text[i]; return t; }", "" },
	{ "int f(struct s *x) { int t = 0; for (int i = 0; i < 9; i++) if (i < 8) t += x->text[i]; return t; }",
	  "" },
	{ "int f(struct s *x) { int t = 0; for (int i = 0; i < 9; i++) t += i < 8 ? x->text[i] : 0; return t; "
	  "}",
	  "" },
	{ "int f(struct s *x) { int t = 0; for (int i = 0; i < 9 && i < 8; i++) t += x->text[i]; return t; }",
	  "" },
	{ "int f(struct s *x) { int t = 0; for (int i = 0; i < 9; i++) { if (i == 8) break; t += x->text[i]; } "
	  "return t; }",
	  "" },
	{ "int f(struct s *x, int n) { int t = 0; for (int i = 0; i < 9; i++) { if (i == n) break; "
	  "t += x->text[i]; } return t; }",
	  "" },
	{ "int f(struct s *x, int n) { int t = 0; for (int i = 0; i < n; i++) t += x->text[i]; return t; }",
	  "" },
	{ "int f(struct s *x) { int t = 0; for (int i = 0; i < 64; i++) t += x->text[i % 8] + x->text[i & 7] + "
	  "x->text[i / 8] + x->text[i >> 3]; return t; }",
	  "" },
	{ "int f(struct s *x) { int t = 0; for (char *p = x->text; p < &x->text[8]; p++) t += *p; return t; }",
	  "" },
	{ "static int sum(const char *p, int n) { int t = 0; while (n--) t += *p++; return t; }\n"
	  "int f(struct s *x) { return sum(x->text, sizeof x->text); }",
	  "" },
	{ "static int most(const char *p, int n) { return *p < n; }\n"
	  "int f(struct s *x) { return most(x->text, 100); }",
	  "" },
	{ "void f(struct s *x) { snprintf(x->text, sizeof x->text, \"%s\", x->p); }", "" },
	{ "long write(int, const void *, size_t); long f(struct s *x, char *b) { return write(x->text[0], b, "
	  "99); }",
	  "" },
};

static void list_found(const struct rs_pin_list *found, char *text, size_t room)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < found->n_pins && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%s:%u", i ? " " : "", found->pins[i].code,
					 found->pins[i].line);
}

static void check_use(const char *use, const char *wanted, const char *record)
{
	char source[4096], got[512];
	struct parsed parsed = { .arena = rs_arena_create() };
	const struct rs_parse_options options = { .has_flags = true, .with_bodies = true };
	const char *path = scratch_path("t.c");

	snprintf(source, sizeof source, "%s%s\n", definition, use);
	scratch_write("t.c", source, strlen(source));
	const struct rs_record_query query = { .file = path, .name = record };
	rs_notes_init(&parsed.notes, parsed.arena);
	assert_null(rs_parser_create(&options, &parsed.notes, &parsed.parser));
	assert_null(rs_tu_open(parsed.parser, path, &parsed.tu));
	assert_null(rs_records_find(parsed.tu, parsed.arena, &query, &parsed.records, &parsed.n_records));
	assert_int_equal(parsed.n_records, 1);
	struct rs_pin_list found = { .arena = parsed.arena };
	struct rs_initializer_list initializers = { .arena = parsed.arena };
	rs_uses_find(parsed.tu, parsed.records, 1, NULL, &found, &initializers);
	list_found(&found, got, sizeof got);
	if (strcmp(got, wanted) != 0)
		fail_msg("%s\n  gives '%s', wanted '%s'", use, got, wanted);
	parsed_end(&parsed);
}

static void check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_use(rows[i].use, rows[i].found, "s");
}

static void lists_by_position(void **state)
{
	(void)state;
	check_rows(lists, RS_COUNT_OF(lists));
}

static void casts_and_assembly(void **state)
{
	(void)state;
	check_rows(casts, RS_COUNT_OF(casts));
}

static void calls_that_see_bytes(void **state)
{
	(void)state;
	check_rows(calls, RS_COUNT_OF(calls));
}

static void elements_behind_members(void **state)
{
	(void)state;
	check_rows(bounds, RS_COUNT_OF(bounds));
}

/* {NULL} is fine as long as a pointer comes first. */
static void null_braces(void **state)
{
	(void)state;
	check_use("struct p v = { NULL };", "null-brace:12", "p");
	check_use("struct p v = { 0 };", "", "p");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_by_position),    cmocka_unit_test(casts_and_assembly),
		cmocka_unit_test(calls_that_see_bytes), cmocka_unit_test(elements_behind_members),
		cmocka_unit_test(null_braces),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
