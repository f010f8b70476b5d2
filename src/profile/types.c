#include "profile/types.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/builder.h"

#define LARGEST_SIZE  0x1p31
#define LARGEST_ALIGN 0x1p16

static const char *const keywords[] = {
	"auto",   "break",    "case",     "char",     "const", "continue", "default", "do",     "double",
	"else",   "enum",     "extern",   "float",    "for",   "goto",     "if",      "inline", "int",
	"long",   "register", "restrict", "return",   "short", "signed",   "sizeof",  "static", "struct",
	"switch", "typedef",  "union",    "unsigned", "void",  "volatile", "while",
};

static bool is_identifier(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	for (size_t i = 0; i < RS_COUNT_OF(keywords); i++)
		if (strcmp(keywords[i], name) == 0)
			return false;
	return true;
}

/* "struct " or "union " in front of a tag; "" for a typedef's name. */
static const char *tag_kind(const char *name)
{
	if (strncmp(name, "struct ", 7) == 0)
		return "struct ";
	return strncmp(name, "union ", 6) == 0 ? "union " : "";
}

static const struct rs_key type_keys[] = {
	{ "size", rs_reader_uint64, offsetof(struct rs_profile_type, size_bytes), true, 0, LARGEST_SIZE },
	{ "align", rs_reader_power_of_two, offsetof(struct rs_profile_type, align_bytes), true, 1,
	  LARGEST_ALIGN },
};

static struct rs_error *read_type(const struct rs_reader *reader, const struct rs_json *value,
				  struct rs_profile_type *type)
{
	type->name = value->key;
	if (!is_identifier(type->name + strlen(tag_kind(type->name))))
		return rs_json_error(reader->path, value, true,
				     "\"%s\" is neither a type name nor \"struct\" or \"union\" and a tag",
				     type->name);
	RS_TRY(rs_reader_object(reader, value, "a type", type_keys, RS_COUNT_OF(type_keys), type));
	if (type->size_bytes % type->align_bytes)
		return rs_json_error(reader->path, value, false,
				     "the size %llu is no multiple of the alignment %u",
				     (unsigned long long)type->size_bytes, type->align_bytes);
	return NULL;
}

struct rs_error *rs_types_read(const struct rs_reader *reader, const struct rs_key *key,
			       const struct rs_json *value, void *target)
{
	struct rs_profile *profile = (struct rs_profile *)target;
	struct rs_profile_type *types;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_OBJECT));
	types = rs_arena_array(reader->arena, struct rs_profile_type, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next)
		RS_TRY(read_type(reader, child, &types[count++]));
	profile->types = types;
	profile->n_types = count;
	return NULL;
}

char *rs_profile_prelude(struct rs_arena *arena, const struct rs_profile *profile)
{
	struct rs_builder text RS_CLEANUP(rs_builder_deinit) = { 0 };

	if (!profile->n_types)
		return NULL;
	for (size_t i = 0; i < profile->n_types; i++) {
		const struct rs_profile_type *type = &profile->types[i];
		const char *kind = tag_kind(type->name);
		const char *body = rs_arena_printf(arena, "{ _Alignas(%u) unsigned char bytes[%llu]; }",
						   type->align_bytes, (unsigned long long)type->size_bytes);

		if (*kind)
			rs_builder_printf(&text, "%s %s;\n", type->name, body);
		else
			rs_builder_printf(&text, "typedef struct %s %s;\n", body, type->name);
	}
	return rs_arena_strndup(arena, text.data, text.length);
}
