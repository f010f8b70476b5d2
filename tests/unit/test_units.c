/*
 * Which bytes make a unit, and what stands between units: one small struct a rule.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "struct_text.h"

struct fixture {
	struct rs_arena *arena;
	struct rs_record *record;
	struct rs_unit_scan scan;
};

static struct fixture scan_bytes(const char *text, size_t size)
{
	struct fixture fixture = { .arena = rs_arena_create() };

	fixture.record = record_from_bytes(fixture.arena, text, size, &fixture.scan);
	return fixture;
}

/* Origins as letters, one a unit. */
static void print_origins(const struct rs_unit_scan *scan, struct rs_builder *out)
{
	for (size_t i = 0; i < scan->n_units; i++)
		rs_builder_appendc(out, "pMIC"[scan->units[i].origin]);
}

/* "|BC|D!|": blank line, comment, directive, barrier, a column a gap. */
static void print_gaps(const struct rs_unit_scan *scan, struct rs_builder *out)
{
	for (size_t i = 0; i <= scan->n_units; i++) {
		const struct rs_gap *gap = &scan->gaps[i];

		rs_builder_printf(out, "%s%s%s%s%s", i ? "|" : "", gap->has_blank_line ? "B" : "",
				  gap->has_comment ? "C" : "", gap->has_directive ? "D" : "",
				  gap->is_barrier ? "!" : "");
	}
}

/* Each unit's text on brackets, line ends and tabs as \n and \t. */
static void print_units(const struct fixture *fixture, struct rs_builder *out)
{
	for (size_t i = 0; i < fixture->scan.n_units; i++) {
		struct rs_span span = fixture->scan.units[i].span;

		rs_builder_appendc(out, '[');
		rs_builder_append(out, fixture->record->source->text + span.start, span.end - span.start);
		rs_builder_appendc(out, ']');
	}
}

/* The struct's body, its units in brackets, its gaps (NULL: not looked at) and origins (NULL: all plain). */
static void expect(const char *body, const char *units, const char *gaps, const char *origins)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 }, got = { 0 };
	struct fixture fixture;

	rs_builder_printf(&text, "struct s {%s};\n", body);
	fixture = scan_bytes(text.data, text.length);
	if (fixture.scan.refusal)
		fail_msg("refused: %s\n%s", fixture.scan.refusal, body);
	rs_builder_appends(&got, "");
	print_units(&fixture, &got);
	if (strcmp(got.data, units) != 0)
		fail_msg("units\n%s\nexpected\n%s", got.data, units);
	got.length = 0;
	print_gaps(&fixture.scan, &got);
	if (gaps && strcmp(got.data, gaps) != 0)
		fail_msg("gaps %s, expected %s, of\n%s", got.data, gaps, body);
	got.length = 0;
	rs_builder_appends(&got, "");
	print_origins(&fixture.scan, &got);
	for (size_t i = 0; !origins && i < got.length; i++)
		assert_int_equal(got.data[i], 'p');
	if (origins && strcmp(got.data, origins) != 0)
		fail_msg("origins %s, expected %s, of\n%s", got.data, origins, body);
	rs_arena_destroy(fixture.arena);
}

static void expect_refusal(const char *text, const char *at)
{
	struct fixture fixture = scan_bytes(text, strlen(text));

	if (!fixture.scan.refusal)
		fail_msg("not refused:\n%s", text);
	assert_int_equal(fixture.scan.n_units, 0);
	assert_non_null(fixture.scan.gaps);
	if (strncmp(text + fixture.scan.refusal_byte, at, strlen(at)) != 0)
		fail_msg("%s, seen at: %s", fixture.scan.refusal, text + fixture.scan.refusal_byte);
	rs_arena_destroy(fixture.arena);
}

static void test_declarations(void **state)
{
	(void)state;
	expect("", "", "", "");
	expect(" ", "", "", "");
	expect("\n\tint a;\n\tchar b, *c;\n", "[int a;][char b, *c;]", "||", NULL);
	expect("int a;long b;", "[int a;][long b;]", "||", NULL);
	expect("\n\tint a[(1 << 2)];\n\tint (*f)(int a, char b);\n",
	       "[int a[(1 << 2)];][int (*f)(int a, char b);]", NULL, NULL);
	expect("\n\tint\n\t\ta\n\t;\n", "[int\n\t\ta\n\t;]", NULL, NULL);
	expect("\n\tint a __attribute__((aligned(8)));\n", "[int a __attribute__((aligned(8)));]", NULL, NULL);
	expect("\n\tstruct {\n\t\tint x;\n\t\tunion { int y; };\n\t} in, *p;\n\tint b;\n",
	       "[struct {\n\t\tint x;\n\t\tunion { int y; };\n\t} in, *p;][int b;]", NULL, NULL);
	expect("\n\tenum { A, B = ';' } e;\n\tint b;\n", "[enum { A, B = ';' } e;][int b;]", NULL, NULL);
	expect("\n\tint a;;\n\tint b;\n\t;\n", "[int a;;][int b;\n\t;]", NULL, NULL);
	expect("\n\t;\n\tint a;\n", "[int a;]", "!|", NULL);
}

static void test_annotations(void **state)
{
	(void)state;
	expect("\n\tint a GUARDED_BY(lock);\n\tint b\n\t\tGUARDED_BY(lock)\n\t\t;\t/* c */\n\tint c;\n",
	       "[int a GUARDED_BY(lock);][int b\n\t\tGUARDED_BY(lock)\n\t\t;\t/* c */][int c;]", NULL, NULL);
	expect("\n\tchar __user *p;\n\t__u32 v;\n", "[char __user *p;][__u32 v;]", NULL, NULL);
	expect("\n\tDECLARE_BITMAP(m, 9)\n\t\tGUARDED_BY(l);\n\tint b;\n",
	       "[DECLARE_BITMAP(m, 9)\n\t\tGUARDED_BY(l);][int b;]", "||", NULL);
	expect("\n\tTAILQ_ENTRY(s)\n\t\tlink;\n\tint b;\n", "[TAILQ_ENTRY(s)\n\t\tlink;][int b;]", "||", NULL);
	expect("\n\tmy_type\n\t\t*p;\n", "[my_type\n\t\t*p;]", "|", NULL);
}

static void test_trailing_comments(void **state)
{
	(void)state;
	expect("\n\tint a; /* one; */ // two;\n\tint b;\n", "[int a; /* one; */ // two;][int b;]", "||", NULL);
	expect("\n\tint a;      // one\n\t            // two\n\tint b;\n",
	       "[int a;      // one\n\t            // two][int b;]", "||", NULL);
	expect("\n\tint a; /* one\n\t\t* two */\n\tint b;\n", "[int a; /* one\n\t\t* two */][int b;]", NULL,
	       NULL);
	expect("\n\tint a;\t/* one */\n\t\t\t\t/* two */\n\tint b;\n",
	       "[int a;\t/* one */\n\t\t\t\t/* two */][int b;]", NULL, NULL);
	expect("\n\tint a; ///< one\n\t///< two\n\tint b;\n", "[int a; ///< one\n\t///< two][int b;]", NULL,
	       NULL);
	expect("\n\tint a;\n\t\t\t/* no room */\n\t\t\t/* there */\n\t/* lead */\n\tint b;\n",
	       "[int a;\n\t\t\t/* no room */\n\t\t\t/* there */][/* lead */\n\tint b;]", NULL, NULL);
	expect("\n\tint a;\n\t\t\t/* --- middle --- */\n\tint b;\n", "[int a;][int b;]", "|C|", NULL);
	expect("\n\tint a;\n\t/**< one */\n\tint b;\n", "[int a;\n\t/**< one */][int b;]", NULL, NULL);
	expect("\n\tint a; // one\n\t// lead\n\tint b;\n", "[int a; // one][// lead\n\tint b;]", NULL, NULL);
	expect("\n\tint a;\t// one  \r\n\tint b;\r\n", "[int a;\t// one][int b;]", NULL, NULL);
	expect(" int a; /*1*/ int b; /*2*/ int c; /*3*/ ", "[int a; /*1*/][int b; /*2*/][int c; /*3*/]", NULL,
	       NULL);
	expect("\n\tint a /* mid; */ ; // end\n", "[int a /* mid; */ ; // end]", NULL, NULL);
}

static void test_leading_comments(void **state)
{
	(void)state;
	expect("\n\t/* lead */\n\tint a;\n\t// x\n\t// y\n\tint b;\n",
	       "[/* lead */\n\tint a;][// x\n\t// y\n\tint b;]", "||", NULL);
	expect("\n\t/*\n\t * long\n\t */\n\tint a;\n", "[/*\n\t * long\n\t */\n\tint a;]", NULL, NULL);
	expect("\n\t/* 0x00 */ int a;\n\t/* 0x04 */ int b; /* c */\n",
	       "[/* 0x00 */ int a;][/* 0x04 */ int b; /* c */]", NULL, NULL);
	expect("\n\t/** @a: what\n\t * it is:\n\t */\n\tint a;\n",
	       "[/** @a: what\n\t * it is:\n\t */\n\tint a;]", NULL, NULL);
	expect("\n\t/* lead */ /* too */\n\tint a;\n", "[/* lead */ /* too */\n\tint a;]", NULL, NULL);
	expect("\n\t/* bytes; may wrap */\n\tint a;\n", "[/* bytes; may wrap */\n\tint a;]", NULL, NULL);
	expect(" /* c */ int a; ", "[/* c */ int a;]", NULL, NULL);
}

static void test_section_comments(void **state)
{
	(void)state;
	expect("\n\t/* sect */\n\n\tint a;\n", "[int a;]", "BC|", NULL);
	expect("\n\tint a;\n\n\t/* sect */\n\n\t/* lead */\n\tint b;\n", "[int a;][/* lead */\n\tint b;]",
	       "|BC|", NULL);
	expect("\n\t/* ---- sect ---- */\n\tint a;\n", "[int a;]", "C|", NULL);
	expect("\n\t/*=====\n\t * SECT\n\t *=====*/\n\tint a;\n", "[int a;]", "C|", NULL);
	expect("\n\t//=======\n\t// SECT\n\t//=======\n\t// lead\n\tint a;\n", "[// lead\n\tint a;]", "C|",
	       NULL);
	expect("\n\t/* Statistics: */\n\tint a;\n", "[int a;]", "C|", NULL);
	expect("\n\t/* the fields below are cold */\n\tint a;\n", "[int a;]", "C|", NULL);
	expect("\n\t// everything below is\n\t// rarely used\n\tint a;\n", "[int a;]", "C|", NULL);
	expect("\n\t/* must be below 64 */\n\tint a;\n", "[/* must be below 64 */\n\tint a;]", "|", NULL);
	expect(" // at the brace\n\tint a;\n", "[int a;]", "C|", NULL);
	expect(" /* at */ // the\n\t   /* brace */\n\tint a;\n", "[int a;]", "C|", NULL);
	expect("\t\t// at\n\t\t\t// the brace\n\t// lead\n\tint a;\n", "[// lead\n\tint a;]", "C|", NULL);
	expect(" /* at the\n\t brace */\n\tint a;\n", "[int a;]", "C|", NULL);
	expect("\n\tint a;\n\t/* end */\n", "[int a;]", "|C", NULL);
	expect("\n\tint a;\n\t/* end */ ", "[int a;]", "|C", NULL);
	expect("\n\t/* only */\n", "", "C", "");
	expect("\n\t///< of nothing\n\tint a;\n", "[int a;]", "C|", NULL);
}

static void test_switched_off(void **state)
{
	(void)state;
	expect("\n\tint a;\n/*\tuint64_t gone; */\n\tint b;\n", "[int a;][int b;]", "|C|", NULL);
	expect("\n\tint a;\n\t// uint32_t maybe;    // TODO: why\n\tint b;\n", "[int a;][int b;]", "|C|", NULL);
	expect("\n\t// char *p[3]; /* x */\n\t// lead\n\tint b;\n", "[// lead\n\tint b;]", "C|", NULL);
	expect("\n\t// done; or is it\n\tint b;\n", "[// done; or is it\n\tint b;]", "|", NULL);
	expect("\n#if 0\n\tdon't { care\n#endif\n\tint b;\n", "[#if 0\n\tdon't { care\n#endif][int b;]", "||",
	       "Cp");
}

static void test_conditionals(void **state)
{
	(void)state;
	expect("\n#ifdef A\n\tint a; int b;\n#endif /* A */\n\tint c;\n",
	       "[#ifdef A\n\tint a; int b;\n#endif /* A */][int c;]", "||", "Cp");
	expect("\n\tint c;\n\t/* lead */\n#if A\n#if B\n\tint a;\n#elif C\n\tint d;\n#endif\n#else\n\t/* none "
	       "*/\n#endif\n",
	       "[int c;][/* lead */\n#if A\n#if B\n\tint a;\n#elif C\n\tint d;\n#endif\n#else\n\t/* none "
	       "*/\n#endif]",
	       "||", "pC");
	expect("\n\tint a\n#ifdef A\n\t, b\n#endif\n\t;\n\tint c;\n",
	       "[int a\n#ifdef A\n\t, b\n#endif\n\t;][int c;]", NULL, NULL);
	expect("\n\tint a\n#ifdef A\n\t= 1;\n#else\n\t;\n#endif\n\tint c;\n",
	       "[int a\n#ifdef A\n\t= 1;\n#else\n\t;\n#endif][int c;]", NULL, NULL);
	expect("\n#ifdef A\n\tint\n#else\n\tlong\n#endif\n\ta;\n\tint c;\n",
	       "[#ifdef A\n\tint\n#else\n\tlong\n#endif\n\ta;][int c;]", NULL, "Cp");
	expect("\n#ifdef A\n\t__aligned(8)\n#endif\n\tint a;\n\tint c;\n",
	       "[#ifdef A\n\t__aligned(8)\n#endif\n\tint a;][int c;]", NULL, "Cp");
	expect("\n\tstruct {\n#ifdef A\n\t\tint a;\n#endif\n\t} s;\n\tint c;\n",
	       "[struct {\n#ifdef A\n\t\tint a;\n#endif\n\t} s;][int c;]", NULL, NULL);
	/* nothing is left over from the branches of a declaration before */
	expect("\n\tunion {\n#if A\n\t\tint a;\n#endif\n\t} u;\n#if A\n\tint b;\n#endif\n\tint c;\n",
	       "[union {\n#if A\n\t\tint a;\n#endif\n\t} u;][#if A\n\tint b;\n#endif][int c;]", "|||", "pCp");
	expect("\n\tint b;\n#ifndef A\n#define A 1\n#endif\n\tint c;\n", "[int b;][int c;]", "|D!|", NULL);
	expect("\n#ifdef A\n#pragma pack(1)\n\tint a;\n#endif\n\tint c;\n",
	       "[#ifdef A\n#pragma pack(1)\n\tint a;\n#endif][int c;]", "!|!|", "Cp");
	expect("\n#ifdef A\n#include \"f\"\n#endif\n", "[#ifdef A\n#include \"f\"\n#endif]", "|", "C");
}

static void test_definitions(void **state)
{
	(void)state;
	expect("\n\tint f; /* flags */\n#define A 1\n\t/* two */\n#define B \\\n\t2\n\tint b;\n",
	       "[int f; /* flags */\n#define A 1\n\t/* two */\n#define B \\\n\t2][int b;]", "||", NULL);
	expect("\n\tint f;\n\n#define A 1\n\n\tint b;\n", "[int f;][int b;]", "|BD|", NULL);
	expect("\n#define A 1\n\tint b;\n", "[int b;]", "D|", NULL);
	expect("\n\tint f;\n\n#undef A\n\tint b;\n", "[int f;][int b;]", "|BD!|", NULL);
	expect("\n\tint f;\n#define A 1\n\t/* lead */\n\tint b;\n",
	       "[int f;\n#define A 1][/* lead */\n\tint b;]", NULL, NULL);
}

static void test_macro_groups(void **state)
{
	(void)state;
	expect("\n\tint a;\n#define X(t, n) t n;\n\tLIST(X)\n#undef X\n\tint b;\n",
	       "[int a;][#define X(t, n) t n;\n\tLIST(X)\n#undef X][int b;]", "|||", "pMp");
	expect("\n#define A(x) x\n#define B 1\n\tint A(v);\n#undef A\n#undef B\n\tint b;\n",
	       "[#define A(x) x\n#define B 1\n\tint A(v);\n#undef A\n#undef B][int b;]", "||", "Mp");
	expect("\n#undef X\n#define X(t) t;\n\tLIST(X)\n#undef X\n\tint b;\n",
	       "[#undef X\n#define X(t) t;\n\tLIST(X)\n#undef X][int b;]", "||", "Mp");
	expect("\n#ifdef C\n#define X(t) t;\n#else\n#define X(t)\n#endif\n\tLIST(X)\n#undef X\n\tfoo(b);\n",
	       "[#ifdef C\n#define X(t) t;\n#else\n#define X(t)\n#endif\n\tLIST(X)\n#undef X][foo(b);]", "||",
	       "CM");
	expect("\n#define T int\n\tT\n#undef T\n\tx;\n\tint b;\n",
	       "[#define T int\n\tT\n#undef T\n\tx;][int b;]", NULL, "Mp");
	expect("\n\tint a;\n#define X 1\n#undef X\n\tint b;\n", "[int a;][int b;]", "|D!|", NULL);
}

static void test_includes(void **state)
{
	(void)state;
	expect("\n\tint a;\n\t/* fields */\n#include \"f.def\"\n\tint b;\n",
	       "[int a;][/* fields */\n#include \"f.def\"][int b;]", "|||", "pIp");
}

static void test_macro_calls(void **state)
{
	(void)state;
	expect("\n\tDECLARE_BITMAP(bm, 100);\n\tTAILQ_ENTRY(a) link;\n\tFIELD;\n",
	       "[DECLARE_BITMAP(bm, 100);][TAILQ_ENTRY(a) link;][FIELD;]", "|||", "MpM");
	expect("\n\tint a;\n\tCOMPAT_BEGIN(6)\n\tint b;\n\tint c;\n",
	       "[int a;][COMPAT_BEGIN(6)\n\tint b;][int c;]", "|!|!|", NULL);
	expect("\n\tHEAD\n\tu8 b;\n\tint c;\n", "[HEAD\n\tu8 b;][int c;]", "!|!|", NULL);
	expect("\n\tA(1)\n\tB(2)\n#ifdef C\n\tint b;\n#endif\n\tint c;\n",
	       "[A(1)\n\tB(2)\n#ifdef C\n\tint b;\n#endif][int c;]", "!|!|", NULL);
	expect("\n\tint a;\n\tEND(6)\n", "[int a;][END(6)]", "|!|!", "pM");
	expect("\n\tint a;\n\tBEGIN(6) END\n\t/* c */\n", "[int a;][BEGIN(6) END]", "|!|C!", "pM");
	expect("\n\tint a;\n\tint b", "[int a;][int b]", "|!|!", NULL);
}

static void test_barriers(void **state)
{
	(void)state;
	expect("\n\tint a;\n\t_Static_assert(sizeof(int) == 4, \"x;\");\t/* c */\n\tint b;\n",
	       "[int a;][int b;]", "|C!|", NULL);
	expect("\n\tint a;\n\t/* why */\n\tBUILD_BUG_ON(1);\n\tint b;\n", "[int a;][int b;]", "|C!|", NULL);
	expect("\n#pragma pack(1)\n\tint a;\n#line 3\n\tint b;\n#error no\n", "[int a;][int b;]", "D!|D!|D!",
	       NULL);
	expect("\n\tint a;\n\t_Pragma(\"pack(1)\")\n\tint b;\n", "[int a;][int b;]", "|!|", NULL);
}

static void test_bitfields(void **state)
{
	(void)state;
	expect("\n\tint a;\n\tunsigned x:3, y:5;\n\n\t/* z */\n\tunsigned z:1; /* t */\n\tunsigned :0;\n\tint "
	       "b;\n",
	       "[int a;][unsigned x:3, y:5;\n\n\t/* z */\n\tunsigned z:1; /* t */\n\tunsigned :0;][int b;]",
	       "|||", NULL);
	expect("\n\tunsigned x:3;\n\tint b;\n\tunsigned y:3;\n", "[unsigned x:3;][int b;][unsigned y:3;]", NULL,
	       NULL);
	expect("\n\tstruct { unsigned x:3; } s;\n\tint y : A ? 1 : 2;\n",
	       "[struct { unsigned x:3; } s;][int y : A ? 1 : 2;]", NULL, NULL);
	expect("\n\tunsigned x:3;\n#ifdef A\n\tint q;\n#endif\n\tunsigned y:3;\n\tint b;\n",
	       "[unsigned x:3;\n#ifdef A\n\tint q;\n#endif\n\tunsigned y:3;][int b;]", NULL, NULL);
	expect("\n#ifdef A\n\tunsigned q:1;\n#endif\n\tunsigned y:3;\n\tint b;\n",
	       "[#ifdef A\n\tunsigned q:1;\n#endif\n\tunsigned y:3;][int b;]", NULL, NULL);
	expect("\n\tunsigned x:3;\n\t_Static_assert(1, \"\");\n\tunsigned y:3;\n",
	       "[unsigned x:3;][unsigned y:3;]", "|!|", NULL);
	expect("\n\tunsigned x:3;\n\n#define A 1\n\n\tunsigned y:3;\n",
	       "[unsigned x:3;\n\n#define A 1\n\n\tunsigned y:3;]", "|", NULL);
}

static void test_line_ends(void **state)
{
	(void)state;
	expect("\r\n\tint a;\t// c\r\n\r\n\t/* s */\r\n\r\n\tint b;\r\n", "[int a;\t// c][int b;]", "|BC|",
	       NULL);
	expect("\n\tint a; // c \\\n still; \n\tint b;\n", "[int a; // c \\\n still;][int b;]", "||", NULL);
}

static void test_refusals(void **state)
{
	(void)state;
	expect_refusal("struct s;", "");
	expect_refusal("struct s {\n#ifdef A\n\tint a;\n};\n", "#ifdef");
	expect_refusal("struct s {\n\tint a;\n#endif\n};\n", "#endif");
	expect_refusal("struct s {\n\tint a;\n#else\n\tint b;\n};\n", "#else");
	expect_refusal("struct s {\n#ifdef A\n\tstruct {\n#else\n\tunion {\n#endif\n\t} u;\n};\n", "#else");
	expect_refusal("struct s {\n\tstruct {\n#ifdef A\n\t} u;\n#endif\n\t} v;\n};\n", "} u");
	expect_refusal("#ifdef A\nstruct s {\n#else\nstruct s { int x;\n#endif\n\tint a;\n};\n", "#else");
	expect_refusal("struct s {\n\tint a[3;\n};\n", "int");
	expect_refusal("struct s {\n\tint a);\n};\n", ")");
	expect_refusal("struct s { int a; }; int b };", "}; int");
	expect_refusal("struct s {\n\tint a; \\\n\tint b;\n};\n", "\\");
	expect_refusal("struct s {\n\tint a<:3:>;\n};\n", "<:");
	expect_refusal("struct s {\n\tint a; // c\rint b;\n};\n", "\rint");
	expect_refusal("struct s {\n\tint a; /* open\n};\n", "");
}

static void test_heads(void **state)
{
	static const char *const texts[] = {
		"struct __attribute__((packed, x({1}))) s /* { */ {int a;};",
		"struct\n#ifdef A\n\tATTR\n#endif\ns\n{int a;};",
		"typedef struct {int a;} s;",
		"\xef\xbb\xbfstruct s {int a;};",
		"struct s // {\n{int a;};",
		"struct s\n#ifdef A\n{int a;}\n#endif\n;",
	};

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(texts); i++) {
		struct fixture fixture = scan_bytes(texts[i], strlen(texts[i]));

		assert_null(fixture.scan.refusal);
		assert_int_equal(fixture.scan.n_units, 1);
		assert_memory_equal(texts[i] + fixture.scan.body.start, "int a;}", 7);
		assert_int_equal(texts[i][fixture.scan.body.end], '}');
		rs_arena_destroy(fixture.arena);
	}
}

static void test_details(void **state)
{
	const char *text =
		"struct s {\n\t/* lead */\n\tunsigned   long\n\tlonger_than_anything[1024 * 1024]; // t\n"
		"\tint f;\n#define A\n\tint b;\n};";
	struct fixture fixture = scan_bytes(text, strlen(text));
	const struct rs_unit *units = fixture.scan.units;

	(void)state;
	assert_int_equal(fixture.scan.n_units, 3);
	assert_int_equal(units[0].n_lines, 3);
	assert_true(units[0].ends_in_line_comment);
	assert_memory_equal(text + units[0].declaration.start, "unsigned", 8);
	assert_int_equal(text[units[0].declaration.end - 1], ';');
	assert_string_equal(units[0].name, "unsigned long longer_than_anything[1024");
	assert_int_equal(units[1].n_lines, 2);
	assert_true(units[1].ends_in_line_comment);
	assert_memory_equal(text + units[1].declaration.end, "\n#define", 8);
	assert_false(units[2].ends_in_line_comment);
	assert_string_equal(units[2].name, "int b;");
	rs_arena_destroy(fixture.arena);
}

/* Twice the text may not take much more than twice the time. */
static double scan_seconds(const char *piece, size_t count)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct fixture fixture;
	clock_t start;

	rs_builder_appends(&text, "struct s {");
	for (size_t i = 0; i < count; i++)
		rs_builder_appends(&text, piece);
	rs_builder_appends(&text, "\n};");
	start = clock();
	fixture = scan_bytes(text.data, text.length);
	rs_arena_destroy(fixture.arena);
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void test_linear_time(void **state)
{
	static const char *const pieces[] = {
		"int a; /* c */ ",
		"\n\tint a; // t\n\t       // u\n\t       // v",
		"\n// lead",
		"\n#define A 1",
		"\n#define A 1\nint a;\n#undef A",
		"\nunsigned x:3;\n#ifdef A\nint q;\n#endif",
		"\n#ifdef A\nint q;\n#endif",
		"\nFOO(x)",
		"\nFOO((((",
		"\n\tint a; /* t */ /* u */",
		"{",
		"\n#if 1",
	};

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(pieces); i++) {
		double seconds = scan_seconds(pieces[i], 100000);

		if (seconds > 10)
			fail_msg("%.1f s for %s", seconds, pieces[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_declarations),      cmocka_unit_test(test_annotations),
		cmocka_unit_test(test_trailing_comments), cmocka_unit_test(test_leading_comments),
		cmocka_unit_test(test_section_comments),  cmocka_unit_test(test_switched_off),
		cmocka_unit_test(test_conditionals),      cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_macro_groups),      cmocka_unit_test(test_includes),
		cmocka_unit_test(test_macro_calls),       cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_bitfields),         cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_refusals),          cmocka_unit_test(test_heads),
		cmocka_unit_test(test_details),           cmocka_unit_test(test_linear_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
