#include "session/mirror_assembly.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "session/mirror_report.h"

enum {
	BEFORE_TOKENS = 20, /* that a mention of the record may be about */
	BEHIND_TOKENS = 80,
};

static bool is_stack_pointer(const struct rs_mirror_scan *scan, size_t at)
{
	static const char *const names[] = { "RSP", "SP", "esp", "rsp", "sp" };

	return rs_mirror_scan_is_any(scan, at, names, RS_COUNT_OF(names));
}

/* `8(%rdi)`, `8(a0)`: the token of the base register; n_tokens when the number is no displacement. */
static size_t base_behind(const struct rs_mirror_scan *scan, size_t at)
{
	if (!rs_mirror_scan_is_char(scan, at + 1, '('))
		return scan->n_tokens;
	return at + (rs_mirror_scan_is_char(scan, at + 2, '%') ? 3 : 2);
}

/* `[rdi + 8]`, `[x0, #8]`. */
static size_t base_before(const struct rs_mirror_scan *scan, size_t at)
{
	bool is_hash = rs_mirror_scan_is_char(scan, at - 1, '#');

	if (!is_hash && !rs_mirror_scan_is_char(scan, at - 1, '+'))
		return scan->n_tokens;
	if (at < 3 || !rs_mirror_scan_is_char(scan, at + 1, ']'))
		return scan->n_tokens;
	return at - (is_hash && rs_mirror_scan_is_char(scan, at - 2, ',') ? 3 : 2);
}

/* Whether the token is a number of bytes from a register that is not the stack's. */
static bool is_displacement(const struct rs_mirror_scan *scan, size_t at, uint64_t *ret_value)
{
	if (scan->tokens[at].kind != RS_MIRROR_NUMBER)
		return false;
	size_t base = base_behind(scan, at);
	if (base == scan->n_tokens)
		base = base_before(scan, at);
	*ret_value = strtoull(scan->text + scan->tokens[at].start, NULL, 0);
	return rs_mirror_scan_is_word(scan, base) && !is_stack_pointer(scan, base);
}

static bool is_name_of(const struct rs_mirror_scan *scan, size_t at, const struct rs_mirror_record *record)
{
	for (size_t i = 0; i < record->n_names; i++)
		if (rs_mirror_scan_is(scan, at, record->names[i]))
			return true;
	return false;
}

/* The member of `tag->member` and `tag.member`; RS_NONE. */
static size_t member_behind(const struct rs_mirror_scan *scan, size_t tag, size_t record)
{
	bool is_arrow =
		rs_mirror_scan_is_char(scan, tag + 1, '-') && rs_mirror_scan_is_char(scan, tag + 2, '>');
	size_t member = is_arrow ? tag + 3 : tag + 2;

	if ((!is_arrow && !rs_mirror_scan_is_char(scan, tag + 1, '.')) || member >= scan->n_tokens)
		return RS_NONE;
	return rs_mirror_index_field(scan->tokens[member].word, record);
}

/* Whether the line of the token uses the number as a displacement. */
static bool line_has(const struct rs_mirror_scan *scan, size_t token, uint64_t wanted)
{
	size_t at = token;
	uint64_t value;

	while (at > 0 && !scan->tokens[at].first_on_line)
		at--;
	do {
		if (is_displacement(scan, at, &value) && value == wanted)
			return true;
		at++;
	} while (at < scan->n_tokens && !scan->tokens[at].first_on_line);
	return false;
}

static size_t member_at(const struct rs_mirror_record *at, uint64_t offset)
{
	for (size_t i = 0; i < at->n_fields; i++)
		if (at->record->members[at->fields[i]].offset_bits == offset * 8)
			return at->fields[i];
	return RS_NONE;
}

/* What code near a mention of the struct uses of it, by the numbers alone. */
struct nearby {
	size_t members[2]; /* two that are used */
	size_t n_members;  /* up to 2 */
	bool has_other;    /* a displacement that is no member's offset: it may be about anything */
};

static void look_nearby(const struct rs_mirror_scan *scan, size_t token, const struct rs_mirror_record *at,
			struct nearby *nearby)
{
	size_t first = token > BEFORE_TOKENS ? token - BEFORE_TOKENS : 0;

	*nearby = (struct nearby) { .n_members = 0 };
	for (size_t i = first; i < scan->n_tokens && i < token + BEHIND_TOKENS; i++) {
		uint64_t value;

		if (!is_displacement(scan, i, &value))
			continue;
		size_t member = member_at(at, value);
		nearby->has_other |= member == RS_NONE;
		if (value > 0 && member != RS_NONE && nearby->n_members < 2 &&
		    (nearby->n_members == 0 || nearby->members[0] != member))
			nearby->members[nearby->n_members++] = member;
	}
}

static void report(struct rs_arena *arena, const struct rs_mirror_record *at, const char *path, unsigned line,
		   bool refuses, size_t member)
{
	const struct rs_member *used = &at->record->members[member];

	rs_mirror_report(at, "assembly", refuses, path, line,
			 "assembly that speaks of '%s' uses %llu, the offset of '%s'%s",
			 rs_mirror_record_title(arena, at), (unsigned long long)used->offset_bits / 8,
			 used->name, refuses ? "" : ": it may be about it");
}

static void check_mention(struct rs_arena *arena, const struct rs_mirror_record *at, const char *path,
			  const struct rs_mirror_scan *scan, size_t token, size_t record)
{
	unsigned line = rs_mirror_scan_line(scan, token);
	size_t member = member_behind(scan, token, record);
	struct nearby nearby;

	if (member != RS_NONE && line_has(scan, token, at->record->members[member].offset_bits / 8)) {
		report(arena, at, path, line, true, member);
		return;
	}
	if (!rs_mirror_scan_is(scan, token - 1, "struct"))
		return;
	look_nearby(scan, token, at, &nearby);
	if (nearby.n_members > 0 && !nearby.has_other)
		report(arena, at, path, line, nearby.n_members > 1, nearby.members[0]);
}

void rs_mirror_assembly_check(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			      const struct rs_mirror_scan *scan)
{
	for (size_t i = 0; i < scan->n_tokens; i++) {
		const struct rs_mirror_word *word = scan->tokens[i].word;

		for (size_t k = 0; word && word->is_tag && k < word->n_postings; k++) {
			size_t record = word->postings[k].record;

			if (word->postings[k].member == RS_NONE && is_name_of(scan, i, &index->records[record]))
				check_mention(arena, &index->records[record], path, scan, i, record);
		}
	}
}

static bool has_offsetof(const struct rs_mirror_scan *scan, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (rs_mirror_scan_is(scan, i, "offsetof") || rs_mirror_scan_is(scan, i, "__builtin_offsetof"))
			return true;
	return false;
}

/* Says so of each record once a file. */
static void check_generated(struct rs_arena *arena, const struct rs_mirror_index *index, const char *path,
			    const struct rs_mirror_scan *scan, size_t from, size_t to, bool *is_said)
{
	for (size_t i = from; i < to; i++) {
		const struct rs_mirror_word *word = scan->tokens[i].word;

		for (size_t k = 0; word && word->is_tag && k < word->n_postings; k++) {
			size_t record = word->postings[k].record;
			const struct rs_mirror_record *at = &index->records[record];

			if (word->postings[k].member != RS_NONE || is_said[record] || !is_name_of(scan, i, at))
				continue;
			is_said[record] = true;
			rs_mirror_report(at, "assembly", false, path, rs_mirror_scan_line(scan, i),
					 "offsets of '%s' reach assembly as generated numbers: they follow, "
					 "but an immediate may get out of range",
					 rs_mirror_record_title(arena, at));
		}
	}
}

void rs_mirror_assembly_check_generator(struct rs_arena *arena, const struct rs_mirror_index *index,
					const char *path, const struct rs_mirror_scan *scan)
{
	bool *is_said = rs_arena_array(arena, bool, index->n_records);
	bool is_list = strstr(rs_path_basename(path), "offset") != NULL;

	for (size_t i = 0; i < scan->n_tokens; i++) {
		size_t close = rs_mirror_scan_close(scan, i + 1);
		bool is_define = rs_mirror_scan_is(scan, i, "DEFINE");

		if (close == scan->n_tokens ||
		    (!is_define && !(is_list && rs_mirror_scan_is(scan, i, "OFFSET"))))
			continue;
		if (!is_define || has_offsetof(scan, i, close))
			check_generated(arena, index, path, scan, i, close, is_said);
	}
}
