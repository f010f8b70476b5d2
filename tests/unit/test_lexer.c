/*
 * Tokens by their bytes: splices, line ends of both kinds, comments and constants that do not end, directives
 * over several lines, bytes that are no C.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/builder.h"
#include "parse/lexer.h"
#include "parse/words.h"

static const char *kind_name(enum rs_token_kind kind)
{
	static const char *const names[] = {
		[RS_TOKEN_END] = "end",           [RS_TOKEN_IDENTIFIER] = "id",
		[RS_TOKEN_NUMBER] = "num",        [RS_TOKEN_STRING] = "str",
		[RS_TOKEN_PUNCTUATION] = "p",     [RS_TOKEN_BLOCK_COMMENT] = "block",
		[RS_TOKEN_LINE_COMMENT] = "line", [RS_TOKEN_DIRECTIVE] = "dir",
	};

	return names[kind];
}

/* "id(int) p(;)", with ^ before the first on a line. */
static void print_tokens(struct rs_builder *out, const char *text, size_t size)
{
	struct rs_lexer lexer;
	struct rs_token token;

	rs_builder_init(out);
	rs_builder_appends(out, "");
	rs_lexer_init(&lexer, text, 0, size);
	while ((token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END) {
		rs_builder_printf(out, "%s%s%s(", out->length ? " " : "", token.first_on_line ? "^" : "",
				  kind_name(token.kind));
		rs_builder_append(out, text + token.span.start, token.span.end - token.span.start);
		rs_builder_appendc(out, ')');
	}
	assert_int_equal(token.span.start, size);
	assert_int_equal(token.span.end, size);
}

static void expect_bytes(const char *text, size_t size, const char *expected, size_t expected_size)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out;

	print_tokens(&out, text, size);
	if (out.length != expected_size || memcmp(out.data, expected, expected_size) != 0)
		fail_msg("got      %s\nexpected %s", out.data, expected);
}

#define expect(text, expected) expect_bytes(text, sizeof(text) - 1, expected, sizeof(expected) - 1)

static void test_tokens(void **state)
{
	(void)state;
	expect("", "");
	expect(" \t\v\f\n", "");
	expect("int x;", "^id(int) id(x) p(;)");
	expect("a\n\tb c\n", "^id(a) ^id(b) id(c)");
	expect("_a$1 \xc3\xa9t\xc3\xa9", "^id(_a$1) id(\xc3\xa9t\xc3\xa9)");
	expect("1 0x1p-3 1e+7f .5 1'000ul 1.2.3 0b1", "^num(1) num(0x1p-3) num(1e+7f) num(.5) num(1'000ul) "
						      "num(1.2.3) num(0b1)");
	expect("a->b...", "^id(a) p(-) p(>) id(b) p(.) p(.) p(.)");
	expect("x+1-2", "^id(x) p(+) num(1) p(-) num(2)");
}

static void test_strings(void **state)
{
	(void)state;
	expect("\"a;\\\"b\" 'c' ';'", "^str(\"a;\\\"b\") str('c') str(';')");
	expect("L\"w\" u8'c' U\"x\" u\"y\" R\"z\"",
	       "^str(L\"w\") str(u8'c') str(U\"x\") str(u\"y\") id(R) str(\"z\")");
	expect("\"/* no */\" '//'", "^str(\"/* no */\") str('//')");
}

static void test_unterminated(void **state)
{
	(void)state;
	expect("\"open;\nint", "^str(\"open;) ^id(int)");
	expect("don't;\r\nx", "^id(don) str('t;) ^id(x)");
	expect("'", "^str(')");
	expect("\"\\", "^str(\"\\)");
	expect("\"a\\\"", "^str(\"a\\\")");
	expect("/* open ;", "^block(/* open ;)");
	expect("/*/", "^block(/*/)");
	expect("/", "^p(/)");
	expect("\\", "^p(\\)");
}

static void test_comments(void **state)
{
	(void)state;
	expect("a /* b */ c", "^id(a) block(/* b */) id(c)");
	expect("/**/a", "^block(/**/) id(a)");
	expect("/* x **/ /*\n*/b", "^block(/* x **/) block(/*\n*/) id(b)");
	expect("// a; \nb", "^line(// a; ) ^id(b)");
	expect("// a\r\nb", "^line(// a) ^id(b)");
	expect("//\nb//", "^line(//) ^id(b) line(//)");
	expect("/* // */ a", "^block(/* // */) id(a)");
	expect("// /*\na", "^line(// /*) ^id(a)");
	expect("a/b", "^id(a) p(/) id(b)");
}

static void test_splices(void **state)
{
	(void)state;
	expect("in\\\nt x", "^id(in\\\nt) id(x)");
	expect("in\\\r\nt", "^id(in\\\r\nt)");
	expect("in\\ \t\nt", "^id(in\\ \t\nt)");
	expect("a \\\n b", "^id(a) ^id(b)");
	expect("/\\\n* c *\\\n/ d", "^block(/\\\n* c *\\\n/) id(d)");
	expect("/\\\n/ c \\\r\n d\ne", "^line(/\\\n/ c \\\r\n d) ^id(e)");
	expect("\"a\\\nb\" c", "^str(\"a\\\nb\") id(c)");
	expect("\"a\\\\\\\n\nb", "^str(\"a\\\\\\\n) ^id(b)");
	expect("1\\\n2", "^num(1\\\n2)");
	expect("L\\\n\"x\"", "^str(L\\\n\"x\")");
	expect("a\\b", "^id(a) p(\\) id(b)");
}

static void test_directives(void **state)
{
	(void)state;
	expect("#if A\nb\n# endif\n", "^dir(#if A) ^id(b) ^dir(# endif)");
	expect("a # b", "^id(a) p(#) id(b)");
	expect(" /* c */ #if X\n", "^block(/* c */) dir(#if X)");
	expect("/* c\n */ #if X\n", "^block(/* c\n */) dir(#if X)");
	expect("#define X \\\n 1\ny", "^dir(#define X \\\n 1) ^id(y)");
	expect("#define X \\\r\n 1\r\ny", "^dir(#define X \\\r\n 1) ^id(y)");
	expect("#define X /* a\n b */ 2\ny", "^dir(#define X /* a\n b */ 2) ^id(y)");
	expect("#define X // a /* b\ny", "^dir(#define X // a /* b) ^id(y)");
	expect("#define X // a \\\n b\ny", "^dir(#define X // a \\\n b) ^id(y)");
	expect("#error don't /* stop\ny", "^dir(#error don't /* stop) ^id(y)");
	expect("#define S \"/*\"\ny", "^dir(#define S \"/*\") ^id(y)");
	expect("a \\\n#b", "^id(a) ^p(#) id(b)");
	expect("\\\n#b", "^dir(#b)");
	expect("#", "^dir(#)");
}

static void test_odd_bytes(void **state)
{
	(void)state;
	expect("\xef\xbb\xbf#if X\n", "^dir(#if X)");
	expect("a\0b", "^id(a) p(\0) id(b)");
	expect("\"a\0b\"", "^str(\"a\0b\")");
	expect("\x01@`", "^p(\x01) p(@) p(`)");
	expect("\xff\xfe", "^id(\xff\xfe)");
}

static void test_middle_of_text(void **state)
{
	const char *text = "x #if\n  y";
	struct rs_lexer lexer;
	struct rs_token token;

	(void)state;
	rs_lexer_init(&lexer, text, 2, strlen(text));
	token = rs_lexer_next(&lexer);
	assert_int_equal(token.kind, RS_TOKEN_PUNCTUATION);
	assert_false(token.first_on_line);
	rs_lexer_init(&lexer, text, 8, strlen(text));
	assert_true(rs_lexer_next(&lexer).first_on_line);
	rs_lexer_init(&lexer, text, 2, 4);
	rs_lexer_next(&lexer);
	assert_int_equal(rs_lexer_next(&lexer).span.end, 4);
	assert_int_equal(rs_lexer_next(&lexer).kind, RS_TOKEN_END);
	assert_int_equal(rs_lexer_next(&lexer).kind, RS_TOKEN_END);
}

static void expect_directive(const char *text, const char *name, const char *word)
{
	struct rs_lexer lexer;
	struct rs_token token;

	rs_lexer_init(&lexer, text, 0, strlen(text));
	token = rs_lexer_next(&lexer);
	assert_int_equal(token.kind, RS_TOKEN_DIRECTIVE);
	assert_true(rs_span_is(text, rs_lexer_directive_name(text, token), name));
	assert_true(rs_span_is(text, rs_lexer_directive_word(text, token), word));
}

static void test_directive_names(void **state)
{
	(void)state;
	expect_directive("#if 0\n", "if", "0");
	expect_directive("# /* a */ ifdef /* b\n */ X\n", "ifdef", "X");
	expect_directive("#\\\ndefine \\\n F(x) x", "define", "F");
	expect_directive("#endif", "endif", "");
	expect_directive("#include <a.h>", "include", "");
	expect_directive("#", "", "");
}

static struct rs_token first_token(const char *text)
{
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text, 0, strlen(text));
	return rs_lexer_next(&lexer);
}

static void test_words(void **state)
{
	static const struct {
		const char *word;
		bool macro_like, specifier, assertion;
	} table[] = {
		{ "GUARDED_BY", true, false, false },
		{ "__rcu", true, false, false },
		{ "__u32", false, false, false },
		{ "__be16", false, false, false },
		{ "__be", true, false, false },
		{ "struct", false, true, false },
		{ "unsigned", false, true, false },
		{ "link", false, false, false },
		{ "X", false, false, false },
		{ "_Static_assert", false, false, true },
		{ "BUILD_BUG_ON_ZERO", true, false, true },
		{ "BUILD_BUG", true, false, false },
	};

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(table); i++) {
		struct rs_token token = first_token(table[i].word);

		assert_int_equal(rs_words_is_macro_like(table[i].word, token), table[i].macro_like);
		assert_int_equal(rs_words_is_specifier(table[i].word, token), table[i].specifier);
		assert_int_equal(rs_words_is_assertion(table[i].word, token), table[i].assertion);
	}
	assert_int_equal(rs_words_directive("#elifdef X", first_token("#elifdef X")), RS_DIRECTIVE_ELSE);
	assert_int_equal(rs_words_directive("#pragma X", first_token("#pragma X")), RS_DIRECTIVE_OTHER);
	assert_int_equal(rs_words_directive("# 3 \"f\"", first_token("# 3 \"f\"")), RS_DIRECTIVE_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tokens),          cmocka_unit_test(test_strings),
		cmocka_unit_test(test_unterminated),    cmocka_unit_test(test_comments),
		cmocka_unit_test(test_splices),         cmocka_unit_test(test_directives),
		cmocka_unit_test(test_odd_bytes),       cmocka_unit_test(test_middle_of_text),
		cmocka_unit_test(test_directive_names), cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
