#include "session/finding.h"

#include <stdarg.h>
#include <string.h>

#include "base/builder.h"
#include "base/file.h"

/* FNV-1a, 64 bits; the zero byte keeps "ab", "c" and "a", "bc" apart. */
static uint64_t add_text(uint64_t hash, const char *text)
{
	const uint64_t prime = 1099511628211u;

	for (text = text ? text : ""; *text; text++)
		hash = (hash ^ (unsigned char)*text) * prime;
	return hash * prime;
}

static uint64_t fingerprint_of(const struct rs_finding_list *list, const struct rs_finding *finding,
			       const char *key)
{
	const char *path = finding->path;
	uint64_t hash = 14695981039346656037u;

	if (path && list->root)
		path = rs_path_below(path, list->root);
	hash = add_text(hash, finding->code);
	hash = add_text(hash, path);
	hash = add_text(hash, finding->record);
	hash = add_text(hash, finding->member);
	return add_text(hash, key);
}

static struct rs_finding *add(struct rs_finding_list *list, const struct rs_finding *finding, const char *key,
			      const char *format, va_list arguments)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	struct rs_finding *added = rs_array_push(list->arena, list->items, list->n_items, list->items_capacity);

	rs_builder_vprintf(&message, format, arguments);
	*added = *finding;
	added->message = rs_arena_strndup(list->arena, message.data, message.length);
	added->fingerprint = fingerprint_of(list, added, key);
	return added;
}

struct rs_finding *rs_finding_add(struct rs_finding_list *list, const char *code, enum rs_finding_level level,
				  const struct rs_record *record, size_t member, const char *key,
				  const char *format, ...)
{
	struct rs_finding finding = {
		.code = code, .level = level, .path = record->source->realpath, .record = record->name
	};
	va_list arguments;

	if (member == RS_NONE) {
		struct rs_position at = rs_source_position(record->source, record->span.start);

		finding.line = at.line;
		finding.column = at.column;
	} else {
		finding.member = record->members[member].path;
		finding.line = record->members[member].line;
		finding.column = record->members[member].column;
	}
	va_start(arguments, format);
	struct rs_finding *added = add(list, &finding, key, format, arguments);
	va_end(arguments);
	return added;
}

struct rs_finding *rs_finding_add_at(struct rs_finding_list *list, const char *code,
				     enum rs_finding_level level, const char *path, unsigned line,
				     const char *record, const char *key, const char *format, ...)
{
	const struct rs_finding finding = {
		.code = code, .level = level, .path = path, .line = line, .record = record
	};
	va_list arguments;

	va_start(arguments, format);
	struct rs_finding *added = add(list, &finding, key, format, arguments);
	va_end(arguments);
	return added;
}

bool rs_finding_fails(const struct rs_finding *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (items[i].level != RS_FINDING_NOTE)
			return true;
	return false;
}
