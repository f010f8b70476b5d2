#include "base/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

/* Hash tables live in the arena that is in scope where they are used, and die with it. */
#define uthash_malloc(size)       rs_arena_alloc(arena, size)
#define uthash_free(memory, size) ((void)(memory))
#include <uthash.h>

enum { MAX_DEPTH = 200, MAX_NUMBER_LENGTH = 63 };

/*
 * Reading goes over the text twice. The scan below holds the text to RFC 8259 and builds the tree with every
 * position and with room for every string; cJSON then decodes strings and numbers into it. What the scan
 * accepts is a subset of what cJSON reads, so the two see the same values in the same order.
 */

/* A value of the tree, in the order of the text, with writable views of what cJSON fills in. */
struct item {
	struct rs_json *value;
	char *key, *string;
	size_t key_room, string_room;
};

struct scanner {
	struct rs_arena *arena;
	const char *path, *text;
	size_t size, at;
	unsigned line;
	size_t line_start;
	unsigned depth;
	struct item *items;
	size_t n_items, items_capacity;
};

static unsigned column_of(const struct scanner *scanner, size_t at)
{
	return (unsigned)(at - scanner->line_start) + 1;
}

static struct rs_error *error_at(const struct scanner *scanner, size_t at, const char *format, ...)
	RS_PRINTF(3, 4);
static struct rs_error *error_at(const struct scanner *scanner, size_t at, const char *format, ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	return rs_error_create(RS_ERROR_SYNTAX, scanner->path, scanner->line, column_of(scanner, at), "%s",
			       message.data);
}

static int peek(const struct scanner *scanner)
{
	return scanner->at < scanner->size ? (unsigned char)scanner->text[scanner->at] : -1;
}

static struct rs_error *unexpected(const struct scanner *scanner, const char *wanted)
{
	int found = peek(scanner);

	if (found < 0)
		return error_at(scanner, scanner->at, "expected %s, found the end of the text", wanted);
	if (found == '/' || found == '#')
		return error_at(scanner, scanner->at, "expected %s, found '%c': JSON has no comments", wanted,
				found);
	if (found > 0x20 && found < 0x7f)
		return error_at(scanner, scanner->at, "expected %s, found '%c'", wanted, found);
	return error_at(scanner, scanner->at, "expected %s, found byte 0x%02x", wanted, (unsigned)found);
}

static void skip_blanks(struct scanner *scanner)
{
	for (;; scanner->at++) {
		int c = peek(scanner);

		if (c == '\n') {
			scanner->line++;
			scanner->line_start = scanner->at + 1;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return;
		}
	}
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static struct rs_error *scan_digits(struct scanner *scanner)
{
	if (!is_digit(peek(scanner)))
		return unexpected(scanner, "a digit");
	while (is_digit(peek(scanner)))
		scanner->at++;
	return NULL;
}

static struct rs_error *scan_fraction_and_exponent(struct scanner *scanner)
{
	if (peek(scanner) == '.') {
		scanner->at++;
		RS_TRY(scan_digits(scanner));
	}
	if (peek(scanner) == 'e' || peek(scanner) == 'E') {
		scanner->at++;
		if (peek(scanner) == '+' || peek(scanner) == '-')
			scanner->at++;
		RS_TRY(scan_digits(scanner));
	}
	return NULL;
}

static struct rs_error *scan_number(struct scanner *scanner, struct item *item)
{
	size_t start = scanner->at;

	item->value->kind = RS_JSON_NUMBER;
	if (peek(scanner) == '-')
		scanner->at++;
	size_t digits = scanner->at;
	RS_TRY(scan_digits(scanner));
	if (scanner->text[digits] == '0' && scanner->at - digits > 1)
		return error_at(scanner, digits, "a number may not begin with 0");
	RS_TRY(scan_fraction_and_exponent(scanner));
	if (scanner->at - start > MAX_NUMBER_LENGTH)
		return error_at(scanner, start, "the number has more than %d characters", MAX_NUMBER_LENGTH);
	return NULL;
}

static struct rs_error *scan_word(struct scanner *scanner, struct item *item)
{
	static const struct {
		const char *word;
		enum rs_json_kind kind;
	} words[] = { { "true", RS_JSON_BOOL }, { "false", RS_JSON_BOOL }, { "null", RS_JSON_NULL } };
	size_t start = scanner->at;

	while (peek(scanner) == '_' || is_digit(peek(scanner)) || is_letter(peek(scanner)))
		scanner->at++;
	size_t length = scanner->at - start;
	for (size_t i = 0; i < RS_COUNT_OF(words); i++) {
		if (length == strlen(words[i].word) && !memcmp(scanner->text + start, words[i].word, length)) {
			item->value->kind = words[i].kind;
			return NULL;
		}
	}
	scanner->at = start;
	if (length == 0)
		return unexpected(scanner, "a value");
	return error_at(scanner, start, "expected a value, found '%.*s'", length < 40 ? (int)length : 40,
			scanner->text + start);
}

static struct rs_error *scan_hex4(struct scanner *scanner, unsigned *ret_code)
{
	unsigned code = 0;

	for (int i = 0; i < 4; i++) {
		int c = peek(scanner);

		if (is_digit(c))
			code = code * 16 + (unsigned)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			code = code * 16 + (unsigned)((c | 0x20) - 'a' + 10);
		else
			return unexpected(scanner, "four hexadecimal digits after \\u");
		scanner->at++;
	}
	*ret_code = code;
	return NULL;
}

/* Behind "\u". */
static struct rs_error *scan_unicode_escape(struct scanner *scanner)
{
	size_t start = scanner->at - 2;
	unsigned code, low = 0;

	RS_TRY(scan_hex4(scanner, &code));
	if (code == 0)
		return error_at(scanner, start, "\\u0000 is not allowed in a string");
	if (code < 0xd800 || code > 0xdfff)
		return NULL;
	if (code < 0xdc00 && scanner->size - scanner->at >= 2 &&
	    !memcmp(scanner->text + scanner->at, "\\u", 2)) {
		scanner->at += 2;
		RS_TRY(scan_hex4(scanner, &low));
	}
	if (low < 0xdc00 || low > 0xdfff)
		return error_at(scanner, start, "\\u%04x is half of a surrogate pair", code);
	return NULL;
}

static struct rs_error *scan_escape(struct scanner *scanner)
{
	scanner->at++;
	int c = peek(scanner);
	if (c < 0 || !c || !strchr("\"\\/bfnrtu", c))
		return unexpected(scanner, "one of \" \\ / b f n r t u after a backslash");
	scanner->at++;
	return c == 'u' ? scan_unicode_escape(scanner) : NULL;
}

/* Passes the string and gives the number of bytes between its quotes, of which decoding needs no more. */
static struct rs_error *scan_string(struct scanner *scanner, size_t *ret_length)
{
	size_t start = scanner->at++;

	while (peek(scanner) != '"') {
		int c = peek(scanner);
		size_t length = rs_utf8_length(scanner->text + scanner->at, scanner->size - scanner->at);

		if (c < 0)
			return error_at(scanner, start, "the string is not closed");
		if (length == 0)
			return error_at(scanner, scanner->at, "byte 0x%02x is not UTF-8", (unsigned)c);
		if (c < 0x20)
			return error_at(scanner, scanner->at,
					"control character 0x%02x in a string must be escaped", (unsigned)c);
		if (c == '\\')
			RS_TRY(scan_escape(scanner));
		else
			scanner->at += length;
	}
	*ret_length = scanner->at++ - start - 1;
	return NULL;
}

static struct rs_error *scan_value(struct scanner *scanner, struct item item, struct rs_json **ret_value);

static struct rs_error *scan_key(struct scanner *scanner, struct item *item, size_t *ret_column)
{
	if (peek(scanner) != '"')
		return unexpected(scanner, "a key in double quotes");
	*ret_column = column_of(scanner, scanner->at);
	RS_TRY(scan_string(scanner, &item->key_room));
	item->key = (char *)rs_arena_alloc(scanner->arena, ++item->key_room);
	return NULL;
}

/* One element of an array, or one key with its value. */
static struct rs_error *scan_child(struct scanner *scanner, bool in_object, struct rs_json **ret_child)
{
	struct item item = { 0 };
	unsigned key_line = scanner->line;
	size_t key_column = 0;

	if (in_object) {
		RS_TRY(scan_key(scanner, &item, &key_column));
		skip_blanks(scanner);
		if (peek(scanner) != ':')
			return unexpected(scanner, "':' after the key");
		scanner->at++;
		skip_blanks(scanner);
	}
	RS_TRY(scan_value(scanner, item, ret_child));
	if (in_object) {
		(*ret_child)->key_line = key_line;
		(*ret_child)->key_column = (unsigned)key_column;
	}
	return NULL;
}

/* Behind a child: *ret_more tells whether another one follows; else the closing bracket has been passed. */
static struct rs_error *scan_separator(struct scanner *scanner, char close, bool *ret_more)
{
	skip_blanks(scanner);
	size_t comma = scanner->at;
	*ret_more = peek(scanner) == ',';
	if (!*ret_more && peek(scanner) != close)
		return unexpected(scanner, close == '}' ? "',' or '}'" : "',' or ']'");
	scanner->at++;
	if (!*ret_more)
		return NULL;
	unsigned line = scanner->line, column = column_of(scanner, comma);
	skip_blanks(scanner);
	if (peek(scanner) != close)
		return NULL;
	return rs_error_create(RS_ERROR_SYNTAX, scanner->path, line, column, "',' before '%c'", close);
}

static struct rs_error *scan_children(struct scanner *scanner, struct item *item)
{
	bool in_object = item->value->kind == RS_JSON_OBJECT, more = true;
	char close = in_object ? '}' : ']';
	struct rs_json *last = NULL, *child;

	if (++scanner->depth > MAX_DEPTH)
		return error_at(scanner, scanner->at, "more than %d levels of nesting", MAX_DEPTH);
	scanner->at++;
	skip_blanks(scanner);
	if (peek(scanner) == close) {
		scanner->at++;
		more = false;
	}
	while (more) {
		RS_TRY(scan_child(scanner, in_object, &child));
		*(last ? &last->next : &item->value->first) = child;
		last = child;
		item->value->n_children++;
		RS_TRY(scan_separator(scanner, close, &more));
	}
	scanner->depth--;
	return NULL;
}

static struct rs_error *scan_value(struct scanner *scanner, struct item item, struct rs_json **ret_value)
{
	int c = peek(scanner);

	item.value = rs_arena_new(scanner->arena, struct rs_json);
	item.value->line = scanner->line;
	item.value->column = column_of(scanner, scanner->at);
	item.value->key = item.key;
	size_t index = scanner->n_items;
	*rs_array_push(scanner->arena, scanner->items, scanner->n_items, scanner->items_capacity) = item;
	if (c == '{' || c == '[') {
		item.value->kind = c == '{' ? RS_JSON_OBJECT : RS_JSON_ARRAY;
		RS_TRY(scan_children(scanner, &item));
	} else if (c == '"') {
		RS_TRY(scan_string(scanner, &item.string_room));
		item.value->kind = RS_JSON_STRING;
		item.value->string = item.string = (char *)rs_arena_alloc(scanner->arena, ++item.string_room);
		scanner->items[index] = item;
	} else if (c == '-' || is_digit(c)) {
		RS_TRY(scan_number(scanner, &item));
	} else {
		RS_TRY(scan_word(scanner, &item));
	}
	*ret_value = item.value;
	return NULL;
}

static struct rs_error *scan_text(struct scanner *scanner, struct rs_json **ret_root)
{
	struct rs_json *root;

	skip_blanks(scanner);
	RS_TRY(scan_value(scanner, (struct item) { 0 }, &root));
	skip_blanks(scanner);
	if (scanner->at < scanner->size)
		return unexpected(scanner, "nothing behind the value");
	*ret_root = root;
	return NULL;
}

static bool take_string(char *to, size_t room, const char *from)
{
	size_t size = from ? strlen(from) + 1 : SIZE_MAX;

	if (size > room)
		return false;
	memcpy(to, from, size);
	return true;
}

static bool take_scalar(const struct item *item, const cJSON *from)
{
	switch (item->value->kind) {
	case RS_JSON_NULL:
		return cJSON_IsNull(from);
	case RS_JSON_BOOL:
		item->value->boolean = cJSON_IsTrue(from);
		return cJSON_IsBool(from);
	case RS_JSON_NUMBER:
		item->value->number = from->valuedouble;
		return cJSON_IsNumber(from);
	case RS_JSON_STRING:
		return cJSON_IsString(from) && take_string(item->string, item->string_room, from->valuestring);
	case RS_JSON_ARRAY:
		return cJSON_IsArray(from);
	case RS_JSON_OBJECT:
		return cJSON_IsObject(from);
	}
	return false;
}

/* Fills the tree from cJSON's, without allocating. False when the two differ in shape. */
static bool take(const struct scanner *scanner, const cJSON *from, size_t *index)
{
	const struct item *item = &scanner->items[*index];
	size_t n_children = 0;

	if (++*index > scanner->n_items || !take_scalar(item, from))
		return false;
	if (item->key && !take_string(item->key, item->key_room, from->string))
		return false;
	for (const cJSON *child = from->child; child; child = child->next, n_children++) {
		if (!take(scanner, child, index))
			return false;
	}
	return n_children == item->value->n_children;
}

static struct rs_error *decode(const struct scanner *scanner)
{
	cJSON *tree = cJSON_ParseWithLengthOpts(scanner->text, scanner->size, NULL, false);
	size_t index = 0;
	bool same = tree && take(scanner, tree, &index) && index == scanner->n_items;

	cJSON_Delete(tree);
	if (!same)
		return rs_error_create(RS_ERROR_INTERNAL, scanner->path, 0, 0, "cJSON cannot read the text");
	return NULL;
}

struct known_key {
	const struct rs_json *value;
	UT_hash_handle hh;
};

static struct rs_error *check_keys(struct rs_arena *arena, const char *path, const struct rs_json *object)
{
	struct known_key *keys = NULL, *known;
	struct known_key *entries = rs_arena_array(arena, struct known_key, object->n_children);

	for (const struct rs_json *child = object->first; child; child = child->next, entries++) {
		HASH_FIND_STR(keys, child->key, known);
		if (known)
			return rs_json_error(path, child, true, "duplicate key \"%s\" (first in line %u)",
					     child->key, known->value->key_line);
		entries->value = child;
		HASH_ADD_KEYPTR(hh, keys, child->key, strlen(child->key), entries);
	}
	return NULL;
}

static struct rs_error *check_values(const struct scanner *scanner)
{
	for (size_t i = 0; i < scanner->n_items; i++) {
		const struct rs_json *value = scanner->items[i].value;

		if (value->kind == RS_JSON_NUMBER && !isfinite(value->number))
			return rs_json_error(scanner->path, value, false, "the number is too large");
		if (value->kind == RS_JSON_OBJECT && value->n_children > 1)
			RS_TRY(check_keys(scanner->arena, scanner->path, value));
	}
	return NULL;
}

struct rs_error *rs_json_parse(struct rs_arena *arena, const char *path, const char *text, size_t size,
			       const struct rs_json **ret_root)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t skipped = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
	struct scanner scanner = {
		.arena = arena, .path = path, .text = text + skipped, .size = size - skipped, .line = 1
	};
	struct rs_json *root = NULL;

	RS_TRY(scan_text(&scanner, &root));
	RS_TRY(decode(&scanner));
	RS_TRY(check_values(&scanner));
	*ret_root = root;
	return NULL;
}

const struct rs_json *rs_json_find(const struct rs_json *object, const char *key)
{
	if (object->kind != RS_JSON_OBJECT)
		return NULL;
	for (const struct rs_json *child = object->first; child; child = child->next) {
		if (strcmp(child->key, key) == 0)
			return child;
	}
	return NULL;
}

const char *rs_json_kind_name(enum rs_json_kind kind)
{
	static const char *const names[] = {
		[RS_JSON_NULL] = "null",       [RS_JSON_BOOL] = "true or false", [RS_JSON_NUMBER] = "a number",
		[RS_JSON_STRING] = "a string", [RS_JSON_ARRAY] = "an array",     [RS_JSON_OBJECT] = "an object",
	};

	return names[kind];
}

struct rs_error *rs_json_error(const char *path, const struct rs_json *value, bool at_key, const char *format,
			       ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	bool from_key = at_key && value->key;
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	return rs_error_create(RS_ERROR_SYNTAX, path, from_key ? value->key_line : value->line,
			       from_key ? value->key_column : value->column, "%s", message.data);
}
