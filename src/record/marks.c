#include "record/marks.h"

#include <ctype.h>
#include <string.h>

#include "record/word_scan.h"

/* Attributes and macros between `struct` and its tag that are looked past. */
enum { MAX_WORDS_BEFORE_TAG = 6 };

static size_t skip_quoted(const struct rs_source *source, size_t at)
{
	char quote = source->text[at];

	for (at++; at < source->size && source->text[at] != '\n'; at++) {
		if (source->text[at] == '\\')
			at++;
		else if (source->text[at] == quote)
			return at + 1;
	}
	return at;
}

static size_t comment_end(const struct rs_source *source, size_t at)
{
	const char *text = source->text;

	if (text[at + 1] == '/') {
		const char *end = (const char *)memchr(text + at, '\n', source->size - at);

		return end ? (size_t)(end - text) : source->size;
	}
	for (at += 2; at + 1 < source->size; at++)
		if (text[at] == '*' && text[at + 1] == '/')
			return at + 2;
	return source->size;
}

static bool is_blank_between(const struct rs_source *source, size_t from, size_t to, size_t max_line_ends)
{
	size_t line_ends = 0;

	for (; from < to; from++) {
		if (!isspace((unsigned char)source->text[from]))
			return false;
		line_ends += source->text[from] == '\n';
	}
	return line_ends <= max_line_ends;
}

static void add_comment(struct rs_marks *marks, struct rs_span comment)
{
	const struct rs_source *source = marks->source;
	struct rs_span *last = marks->n_comments ? &marks->comments[marks->n_comments - 1] : NULL;

	if (last && source->text[last->start + 1] == '/' && source->text[comment.start + 1] == '/' &&
	    is_blank_between(source, last->end, comment.start, 1) &&
	    rs_source_position(source, last->start).column == rs_source_position(source, comment.start).column)
		last->end = comment.end;
	else
		*rs_array_push(marks->arena, marks->comments, marks->n_comments, marks->comments_capacity) =
			comment;
}

static void read_comments(struct rs_marks *marks)
{
	const struct rs_source *source = marks->source;

	for (size_t at = 0; at < source->size;) {
		char c = source->text[at], next = source->text[at + 1];

		if (c == '"' || c == '\'') {
			at = skip_quoted(source, at);
		} else if (c == '/' && (next == '*' || next == '/')) {
			size_t end = comment_end(source, at);

			add_comment(marks, (struct rs_span) { at, end });
			at = end;
		} else {
			at++;
		}
	}
}

/* The end of the line on which the byte stands, continued lines and comments that cross lines included. */
static size_t logical_line_end(const struct rs_source *source, size_t at)
{
	while (at < source->size && source->text[at] != '\n') {
		char c = source->text[at], next = source->text[at + 1];

		if (c == '\\' && next == '\n')
			at += 2;
		else if (c == '\\' && next == '\r')
			at += 3;
		else if (c == '"' || c == '\'')
			at = skip_quoted(source, at);
		else if (c == '/' && (next == '*' || next == '/'))
			at = comment_end(source, at);
		else
			at++;
	}
	return at < source->size ? at : source->size;
}

static void read_define(struct rs_marks *marks, struct rs_word_scan *words, size_t end)
{
	struct rs_mark_macro macro = { { 0, 0 }, { 0, 0 }, { 0, 0 }, false, false, false };

	if (!rs_word_scan_next(words) || words->word.end > end)
		return;
	macro.name = words->word;
	macro.body = (struct rs_span) { words->word.end, end };
	if (marks->source->text[words->word.end] == '(') {
		rs_word_scan_next(words);
		macro.is_function = true;
		macro.parameters.start = words->word.end;
		if (!rs_word_scan_skip_brackets(words) || words->word.end > end)
			return;
		macro.parameters.end = words->word.start;
		macro.body.start = words->word.end;
	}
	const char *body = marks->source->text + macro.body.start;
	macro.has_brace = memchr(body, '{', macro.body.end - macro.body.start);
	macro.has_call = memchr(body, '(', macro.body.end - macro.body.start);
	*rs_array_push(marks->arena, marks->macros, marks->n_macros, marks->macros_capacity) = macro;
}

static void read_directive(struct rs_marks *marks, struct rs_word_scan *words)
{
	size_t end = logical_line_end(marks->source, words->word.end);
	struct rs_word_scan line;

	rs_word_scan_init(&line, marks->source->text, (struct rs_span) { words->word.end, end });
	if (rs_word_scan_next(&line) && rs_word_scan_is(&line, "define"))
		read_define(marks, &line, end);
	words->at = end;
}

static bool is_first_on_line(const struct rs_source *source, size_t byte)
{
	while (byte > 0 && (source->text[byte - 1] == ' ' || source->text[byte - 1] == '\t'))
		byte--;
	return byte == 0 || source->text[byte - 1] == '\n' ||
	       (byte == 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0);
}

static bool ends_with(const char *text, size_t length, const char *suffix)
{
	size_t suffix_length = strlen(suffix);

	return length >= suffix_length && memcmp(text + length - suffix_length, suffix, suffix_length) == 0;
}

/* What a part between the underscores of a macro's name says about who may use what it marks. */
enum audience { NOBODY_SAID, OTHERS, THE_PROJECT };

static enum audience audience_of(const char *part, size_t length)
{
	static const char *const suffixes[] = { "API", "EXPORT", "EXPORTED", "EXPORTS", "PUBLIC" };
	/* FOO_NO_EXPORT, FOO_PRIVATE_API; two names of calling conventions; and the kernel's way to poll. */
	static const char *const opposites[] = { "NO",     "NOT",    "INTERNAL", "PRIVATE", "LOCAL",
						 "HIDDEN", "WINAPI", "NTAPI",    "NAPI" };

	for (size_t i = 0; i < RS_COUNT_OF(opposites); i++)
		if (length == strlen(opposites[i]) && memcmp(part, opposites[i], length) == 0)
			return THE_PROJECT;
	for (size_t i = 0; i < RS_COUNT_OF(suffixes); i++)
		if (ends_with(part, length, suffixes[i]))
			return OTHERS;
	return NOBODY_SAID;
}

/* FOO_API, ZEXPORT, LIB_EXPORT, PyAPI_FUNC: some part between underscores ends in one of the words. */
static bool is_export_macro(const char *word, size_t length)
{
	bool is_export = false;

	if (!(length > 5 && memcmp(word, "PyAPI", 5) == 0))
		for (size_t i = 0; i < length; i++)
			if (islower((unsigned char)word[i]))
				return false;
	for (size_t start = 0, stop; start < length; start = stop + 1) {
		const char *bar = (const char *)memchr(word + start, '_', length - start);
		enum audience audience;

		stop = bar ? (size_t)(bar - word) : length;
		audience = audience_of(word + start, stop - start);
		if (audience == THE_PROJECT)
			return false;
		is_export = is_export || audience == OTHERS;
	}
	return is_export;
}

/* Whether ("default") follows; strings are no words. */
static bool names_default(const struct rs_word_scan *words)
{
	struct rs_word_scan ahead = *words;

	if (!rs_word_scan_next(&ahead) || !rs_word_scan_is(&ahead, "("))
		return false;
	size_t start = ahead.word.end;
	return rs_word_scan_next(&ahead) &&
	       memmem(words->text + start, ahead.word.start - start, "\"default\"", 9);
}

/* With an identifier as the current word: a macro, or what such macros stand for. */
static bool is_export_word(const struct rs_word_scan *words)
{
	if (rs_word_scan_is(words, "dllexport") || rs_word_scan_is(words, "__dllexport__"))
		return true;
	if (rs_word_scan_is(words, "visibility") || rs_word_scan_is(words, "__visibility__"))
		return names_default(words);
	return is_export_macro(words->text + words->word.start, words->word.end - words->word.start);
}

/* A declaration that is being read. */
struct statement {
	size_t start;
	struct rs_span export_word;
	struct rs_span name; /* the last identifier before `=`, or behind `{` or `,` */
	struct rs_span last; /* the last identifier */
	size_t value;        /* byte behind the `=`; 0: none */
	size_t n_open;       /* parentheses */
	bool is_typedef, is_static, has_parenthesis, has_sizeof;
	bool is_constant;
};

static void add_mark(struct rs_arena *arena, struct rs_mark **marks, size_t *count, size_t *capacity,
		     struct rs_span word, struct rs_span span)
{
	*rs_array_push(arena, *marks, *count, *capacity) = (struct rs_mark) { word, span };
}

static void end_value(struct rs_marks *marks, struct statement *statement, size_t end, bool is_enumerator)
{
	if (statement->value && statement->has_sizeof && (is_enumerator || statement->is_constant))
		add_mark(marks->arena, &marks->constants, &marks->n_constants, &marks->constants_capacity,
			 statement->name, (struct rs_span) { statement->value, end });
	statement->value = 0;
	statement->has_sizeof = false;
}

static void end_statement(struct rs_marks *marks, struct statement *statement, size_t end)
{
	struct rs_span span = { statement->start, end };

	end_value(marks, statement, end, false);
	if (statement->export_word.end && statement->has_parenthesis && !statement->is_static)
		add_mark(marks->arena, &marks->exports, &marks->n_exports, &marks->exports_capacity,
			 statement->export_word, span);
	if (statement->is_typedef && !statement->has_parenthesis && statement->last.end)
		add_mark(marks->arena, &marks->typedefs, &marks->n_typedefs, &marks->typedefs_capacity,
			 statement->last, (struct rs_span) { statement->start, statement->last.start });
}

/* With `struct` as the current word. */
static void note_tag(struct rs_marks *marks, const struct rs_word_scan *words)
{
	struct rs_word_scan ahead = *words;
	struct rs_span tag = { 0, 0 };

	for (size_t i = 0; i < MAX_WORDS_BEFORE_TAG && rs_word_scan_next(&ahead); i++) {
		if (ahead.is_identifier)
			tag = ahead.word;
		else if (!rs_word_scan_is(&ahead, "(") || !rs_word_scan_skip_brackets(&ahead))
			break;
	}
	if (tag.end && rs_word_scan_is(&ahead, "{"))
		*rs_array_push(marks->arena, marks->tags, marks->n_tags, marks->tags_capacity) = tag;
}

/* Behind the brace that closes an outermost block: the names that a typedef of it gets. */
static void note_names_behind(struct rs_marks *marks, const struct rs_word_scan *words)
{
	struct rs_word_scan ahead = *words;

	while (rs_word_scan_next(&ahead)) {
		if (ahead.is_identifier)
			*rs_array_push(marks->arena, marks->tags, marks->n_tags, marks->tags_capacity) =
				ahead.word;
		else if (!rs_word_scan_is(&ahead, ",") && !rs_word_scan_is(&ahead, "*"))
			return;
	}
}

static void read_identifier(struct rs_marks *marks, const struct rs_word_scan *words,
			    struct statement *statement)
{
	if (rs_word_scan_is(words, "struct"))
		note_tag(marks, words);
	else if (rs_word_scan_is(words, "typedef"))
		statement->is_typedef = true;
	else if (rs_word_scan_is(words, "static"))
		statement->is_static = true;
	else if (rs_word_scan_is(words, "const") || rs_word_scan_is(words, "constexpr"))
		statement->is_constant = true;
	else if (rs_word_scan_is(words, "sizeof"))
		statement->has_sizeof = true;
	else if (!statement->export_word.end && is_export_word(words))
		statement->export_word = words->word;
	statement->last = words->word;
	if (!statement->value)
		statement->name = words->word;
}

static void restart(struct statement *statement, size_t start)
{
	*statement = (struct statement) { .start = start };
}

static void read_punctuation(struct rs_marks *marks, const struct rs_word_scan *words,
			     struct statement *statement, size_t *depth)
{
	char c = words->text[words->word.start];

	if (c == '(') {
		statement->has_parenthesis = true;
		statement->n_open++;
	} else if (c == ')') {
		statement->n_open -= statement->n_open > 0;
	} else if (c == '=') {
		statement->value = words->word.end;
	} else if (c == ',' && statement->n_open == 0) {
		end_value(marks, statement, words->word.start, true);
	} else if (c == ';') {
		end_statement(marks, statement, words->word.start);
		restart(statement, words->word.end);
	} else if (c == '{') {
		*depth += statement->last.end == 0 || words->text[statement->last.start] != 'e' ||
			  statement->last.end - statement->last.start != 6 ||
			  memcmp(words->text + statement->last.start, "extern", 6) != 0;
		if (!statement->is_typedef)
			end_statement(marks, statement, words->word.start);
		restart(statement, words->word.end);
	} else if (c == '}') {
		end_value(marks, statement, words->word.start, true);
		*depth -= *depth > 0;
		if (*depth == 0)
			note_names_behind(marks, words);
		restart(statement, words->word.end);
	}
}

static void read_code(struct rs_marks *marks)
{
	const struct rs_source *source = marks->source;
	struct rs_word_scan words;
	struct statement statement = { .start = 0 };
	size_t depth = 0;

	rs_word_scan_init(&words, source->text, (struct rs_span) { 0, source->size });
	marks->first_code = source->size;
	while (rs_word_scan_next(&words)) {
		if (rs_word_scan_is(&words, "#") && is_first_on_line(source, words.word.start)) {
			read_directive(marks, &words);
			continue;
		}
		if (marks->first_code == source->size && (unsigned char)source->text[words.word.start] < 0x80)
			marks->first_code = words.word.start;
		if (words.is_identifier)
			read_identifier(marks, &words, &statement);
		else
			read_punctuation(marks, &words, &statement, &depth);
	}
}

const struct rs_marks *rs_marks_read(struct rs_arena *arena, const struct rs_source *source)
{
	struct rs_marks *marks = rs_arena_new(arena, struct rs_marks);

	marks->source = source;
	marks->arena = arena;
	read_comments(marks);
	read_code(marks);
	return marks;
}

size_t rs_marks_comment_from(const struct rs_marks *marks, size_t byte)
{
	size_t low = 0, high = marks->n_comments;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (marks->comments[middle].start < byte)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
