#include "parse/words.h"

#include <string.h>

static bool is_one_of(const char *text, struct rs_token token, const char *const *words, size_t n_words)
{
	for (size_t i = 0; i < n_words; i++)
		if (rs_token_is(text, token, words[i]))
			return true;
	return false;
}

enum rs_directive rs_words_directive(const char *text, struct rs_token directive)
{
	static const struct {
		const char *name;
		enum rs_directive kind;
	} table[] = {
		{ "if", RS_DIRECTIVE_IF },           { "ifdef", RS_DIRECTIVE_IF },
		{ "ifndef", RS_DIRECTIVE_IF },       { "elif", RS_DIRECTIVE_ELSE },
		{ "elifdef", RS_DIRECTIVE_ELSE },    { "elifndef", RS_DIRECTIVE_ELSE },
		{ "else", RS_DIRECTIVE_ELSE },       { "endif", RS_DIRECTIVE_ENDIF },
		{ "define", RS_DIRECTIVE_DEFINE },   { "undef", RS_DIRECTIVE_UNDEF },
		{ "include", RS_DIRECTIVE_INCLUDE }, { "include_next", RS_DIRECTIVE_INCLUDE },
		{ "error", RS_DIRECTIVE_MESSAGE },   { "warning", RS_DIRECTIVE_MESSAGE },
	};
	struct rs_span name = rs_lexer_directive_name(text, directive);

	for (size_t i = 0; i < RS_COUNT_OF(table); i++)
		if (rs_span_is(text, name, table[i].name))
			return table[i].kind;
	return RS_DIRECTIVE_OTHER;
}

bool rs_words_is_specifier(const char *text, struct rs_token token)
{
	static const char *const words[] = {
		"struct",     "union",        "enum",     "unsigned",      "signed",  "int",      "char",
		"short",      "long",         "float",    "double",        "void",    "_Bool",    "bool",
		"const",      "volatile",     "_Atomic",  "_Alignas",      "alignas", "typeof",   "__typeof",
		"__typeof__", "_Complex",     "restrict", "__extension__", "__const", "__signed", "__signed__",
		"__volatile", "__volatile__", "__int128", "_Float16",      "_BitInt",
	};

	return is_one_of(text, token, words, RS_COUNT_OF(words));
}

bool rs_words_is_attribute(const char *text, struct rs_token token)
{
	static const char *const words[] = { "__attribute__", "__attribute", "__declspec", "__asm__", "asm" };

	return is_one_of(text, token, words, RS_COUNT_OF(words));
}

bool rs_words_is_assertion(const char *text, struct rs_token token)
{
	static const char *const words[] = { "_Static_assert", "static_assert", "C_ASSERT", "CTASSERT" };
	static const char *const prefixes[] = { "BUILD_BUG_ON", "BUILD_ASSERT", "STATIC_ASSERT" };
	size_t length = token.span.end - token.span.start;

	for (size_t i = 0; i < RS_COUNT_OF(prefixes); i++) {
		size_t prefix_length = strlen(prefixes[i]);

		if (length >= prefix_length && memcmp(text + token.span.start, prefixes[i], prefix_length) == 0)
			return true;
	}
	return is_one_of(text, token, words, RS_COUNT_OF(words));
}

bool rs_words_is_pragma(const char *text, struct rs_token token)
{
	return rs_token_is(text, token, "_Pragma") || rs_token_is(text, token, "__pragma");
}

/* __u8, __s64, __be16, __le32 … : types that look like annotations. */
static bool is_kernel_integer(const char *word, size_t length)
{
	static const char *const prefixes[] = { "__u", "__s", "__be", "__le" };

	for (size_t i = 0; i < RS_COUNT_OF(prefixes); i++) {
		size_t at = strlen(prefixes[i]);

		if (length <= at || memcmp(word, prefixes[i], at) != 0)
			continue;
		while (at < length && word[at] >= '0' && word[at] <= '9')
			at++;
		if (at == length)
			return true;
	}
	return false;
}

bool rs_words_is_macro_like(const char *text, struct rs_token token)
{
	const char *word = text + token.span.start;
	size_t length = token.span.end - token.span.start;

	if (length > 2 && word[0] == '_' && word[1] == '_')
		return !is_kernel_integer(word, length);
	for (size_t i = 0; i < length; i++)
		if (!(word[i] >= 'A' && word[i] <= 'Z') && !(word[i] >= '0' && word[i] <= '9') &&
		    word[i] != '_')
			return false;
	return length >= 2;
}
