/*
 * Results built by hand for the tests of the writers: a record member by member with the source text that
 * spells it, a profile path by path, plans by order.
 */
#ifndef RS_TESTS_MAKE_RESULT_H
#define RS_TESTS_MAKE_RESULT_H

#include <string.h>

#include "base/file.h"
#include "record/layout.h"
#include "session/result.h"

enum { MAKE_DEPTH = 8, MAKE_PATHS = 8, MAKE_ACCESSES = 32 };

struct make_level {
	size_t member;
	uint64_t end_bits, size_bits;
	uint32_t align;
	bool is_union;
	size_t start; /* of its text */
};

struct make {
	struct rs_arena *arena;
	const char *path;
	struct rs_builder text;
	struct rs_record record;
	struct rs_member *members;
	size_t n_members, members_capacity;
	struct rs_unit *units;
	size_t n_units, units_capacity;
	struct make_level levels[MAKE_DEPTH];
	size_t depth;
	struct rs_binding binding;
	struct rs_bound_path paths[MAKE_PATHS];
	struct rs_member_heat *heat;
	struct rs_plan *original;
	struct rs_record_result result;
	struct rs_plan_result plans[8];
	struct rs_file_result file;
	struct rs_notes notes;
	struct rs_result all;
};

static inline void make_begin(struct make *make, const char *path, const char *before, const char *name)
{
	*make = (struct make) { .arena = rs_arena_create(), .path = path };
	make->record.name = name;
	make->levels[0].align = 1;
	make->levels[0].member = RS_NONE;
	rs_builder_appends(&make->text, before);
	make->record.span.start = make->text.length;
	rs_builder_printf(&make->text, "struct %s {\n", name);
	make->record.body.start = make->text.length - 1;
}

static inline uint64_t make_round(uint64_t bits, uint64_t align_bytes)
{
	return (bits + align_bytes * 8 - 1) / (align_bytes * 8) * (align_bytes * 8);
}

static inline const char *make_path(struct make *make, const char *name)
{
	for (size_t d = make->depth; d > 0 && name[0]; d--) {
		const struct rs_member *parent = &make->members[make->levels[d].member];

		if (!parent->is_anonymous)
			return rs_arena_printf(make->arena, "%s.%s", parent->path, name);
	}
	return name;
}

static inline void make_unit(struct make *make, size_t member, size_t start)
{
	*rs_array_push(make->arena, make->units, make->n_units, make->units_capacity) =
		(struct rs_unit) { .first_member = member,
				   .n_members = 1,
				   .span = { start, make->text.length - 1 },
				   .declaration = { start, make->text.length - 1 },
				   .n_lines = 1,
				   .name = make->members[member].path };
}

static inline struct rs_member *make_new(struct make *make, const char *declaration, const char *name)
{
	struct rs_member *member =
		rs_array_push(make->arena, make->members, make->n_members, make->members_capacity);

	member->name = name;
	member->path = make_path(make, name);
	member->type = "";
	member->declaration = declaration;
	member->parent = make->levels[make->depth].member;
	member->unit = make->n_units;
	member->byte = make->text.length + make->depth + 1;
	return member;
}

static inline void make_place(struct make *make, struct rs_member *member)
{
	struct make_level *level = &make->levels[make->depth];
	uint64_t at = level->is_union ? 0 : level->end_bits, unit_bits = member->type_size_bytes * UINT64_C(8);

	if (!member->is_bitfield)
		at = make_round(at, member->align_bytes);
	else if (member->size_bits == 0 || at / unit_bits != (at + member->size_bits - 1) / unit_bits)
		at = make_round(at, member->type_size_bytes);
	member->offset_bits = at;
	level->end_bits = at + member->size_bits;
	level->size_bits = level->end_bits > level->size_bits ? level->end_bits : level->size_bits;
	level->align = member->align_bytes > level->align ? member->align_bytes : level->align;
}

static inline void make_line(struct make *make, const char *text)
{
	rs_builder_pad(&make->text, '\t', make->depth + 1);
	rs_builder_printf(&make->text, "%s;\n", text);
}

/* A member; bits other than 0 make it a bit-field of that width, -1 one of no width. */
static inline void make_field(struct make *make, const char *declaration, const char *name, uint64_t size,
			      uint32_t align, int bits)
{
	struct rs_member *member = make_new(make, declaration, name);
	size_t start = make->text.length + 1;

	member->size_bits = bits ? (bits < 0 ? 0 : (uint64_t)bits) : size * 8;
	member->is_bitfield = bits != 0;
	member->type_size_bytes = bits ? (uint32_t)size : align;
	member->align_bytes = align;
	member->type = bits ? "unsigned int" : "";
	member->line = 0;
	make_place(make, member);
	make_line(make, declaration);
	if (make->depth == 0)
		make_unit(make, make->n_members - 1, start);
}

static inline void make_open(struct make *make, const char *declaration, const char *name, bool is_union)
{
	struct rs_member *member = make_new(make, declaration, name);

	member->is_aggregate = true;
	member->is_union = is_union;
	member->is_anonymous = !name[0];
	size_t start = make->text.length + make->depth + 1;
	rs_builder_pad(&make->text, '\t', make->depth + 1);
	rs_builder_printf(&make->text, "%s {\n", is_union ? "union" : "struct");
	make->levels[++make->depth] = (struct make_level) {
		.member = make->n_members - 1, .align = 1, .is_union = is_union, .start = start
	};
}

static inline void make_close(struct make *make)
{
	struct make_level level = make->levels[make->depth--];
	struct rs_member *member = &make->members[level.member];

	member->n_inside = make->n_members - 1 - level.member;
	member->align_bytes = level.align;
	member->size_bits = make_round(level.size_bits, level.align);
	make_place(make, member);
	/* Inner levels have added their own start already: this one's comes on top. */
	for (size_t i = level.member + 1; i < make->n_members; i++)
		make->members[i].offset_bits += member->offset_bits;
	rs_builder_pad(&make->text, '\t', make->depth + 1);
	rs_builder_printf(&make->text, "} %s;\n", member->name);
	if (make->depth == 0)
		make_unit(make, level.member, level.start);
}

static inline struct rs_plan *make_plan(struct make *make, unsigned id, const size_t *order)
{
	struct rs_plan *plan = rs_arena_new(make->arena, struct rs_plan);
	uint64_t *offsets = rs_arena_array(make->arena, uint64_t, make->n_members);
	size_t *copy = rs_arena_array(make->arena, size_t, make->n_units);

	for (size_t i = 0; i < make->n_units; i++)
		copy[i] = order ? order[i] : i;
	rs_layout_compute(&make->record, copy, offsets, &plan->size_bytes);
	plan->id = id;
	plan->order = copy;
	plan->offset_bits = offsets;
	return plan;
}

static inline void make_end(struct make *make)
{
	struct rs_record *record = &make->record;

	record->body.end = make->text.length;
	rs_builder_appends(&make->text, "}");
	record->span.end = make->text.length;
	rs_builder_appends(&make->text, ";\n");
	struct rs_source *source = rs_source_create(
		make->arena, make->path, make->path,
		rs_arena_strndup(make->arena, make->text.data, make->text.length), make->text.length);
	for (size_t i = 0; i < make->n_members; i++)
		make->members[i].line = rs_source_position(source, make->members[i].byte).line;
	record->source = source;
	record->members = make->members;
	record->n_members = make->n_members;
	record->units = make->units;
	record->n_units = make->n_units;
	record->align_bytes = make->levels[0].align;
	record->size_bytes = make_round(make->levels[0].size_bits, record->align_bytes) / 8;
	make->file = (struct rs_file_result) { .source = source, .mode = 0100644 };
	make->result.record = record;
	make->result.pick = RS_NONE;
	make->result.plans = make->plans;
	make->result.original.plan = make->original = make_plan(make, 0, NULL);
	rs_notes_init(&make->notes, make->arena);
	make->all = (struct rs_result) { .parser_version = "clang version 14.0.6",
					 .triple = "x86_64-pc-linux-gnu",
					 .line_bytes = 64,
					 .files = &make->file,
					 .n_files = 1,
					 .records = &make->result,
					 .n_records = 1,
					 .notes = &make->notes };
}

static inline void make_free(struct make *make)
{
	rs_builder_deinit(&make->text);
	rs_arena_destroy(make->arena);
}

static inline size_t make_find(const struct make *make, const char *path)
{
	for (size_t i = 0; i < make->n_members; i++)
		if (strcmp(make->members[i].path, path) == 0)
			return i;
	return RS_NONE;
}

static inline void make_profile(struct make *make)
{
	static const double shares[16] = { 1. / 16, 1. / 16, 1. / 16, 1. / 16, 1. / 16, 1. / 16,
					   1. / 16, 1. / 16, 1. / 16, 1. / 16, 1. / 16, 1. / 16,
					   1. / 16, 1. / 16, 1. / 16, 1. / 16 };

	make->heat = rs_arena_array(make->arena, struct rs_member_heat, make->n_members);
	make->binding = (struct rs_binding) { .record = &make->record,
					      .machine = { .line_bytes = 64,
							   .cpus = 16,
							   .t_hit_ns = 1,
							   .t_coherence_ns = 60,
							   .t_upgrade_ns = 36 },
					      .n_cpus = 16,
					      .n_phases = 1,
					      .paths = make->paths,
					      .heat = make->heat };
	for (size_t i = 0; i < MAKE_PATHS; i++)
		make->paths[i].shares = shares;
	make->result.binding = &make->binding;
}

/* spec: "daddr r, refcnt a, dtime w, seq rw" */
static inline void make_access(struct make *make, const char *name, double rate, const char *spec)
{
	struct rs_bound_path *path = &make->paths[make->binding.n_paths++];
	struct rs_bound_access *accesses = rs_arena_array(make->arena, struct rs_bound_access, MAKE_ACCESSES);
	char *copy = rs_arena_strdup(make->arena, spec), *save = NULL;

	for (char *word = strtok_r(copy, ", ", &save); word; word = strtok_r(NULL, ", ", &save)) {
		size_t member = make_find(make, word);
		const char *how = strtok_r(NULL, ", ", &save);
		bool writes = strpbrk(how, "wa") != NULL, reads = strchr(how, 'r') != NULL;

		accesses[path->n_accesses++] =
			(struct rs_bound_access) { .member = member, .reads = reads, .writes = writes };
		make->heat[member].reads += reads ? rate : 0;
		make->heat[member].writes += writes ? rate : 0;
		make->heat[member].is_atomic |= strchr(how, 'a') != NULL;
	}
	path->name = name;
	path->rate = rate;
	path->accesses = accesses;
}

/* A list of members by their paths. */
static inline const size_t *make_list(struct make *make, const char *names, size_t *ret_count)
{
	char *copy = rs_arena_strdup(make->arena, names), *save = NULL;
	size_t *list = rs_arena_array(make->arena, size_t, make->n_members);

	*ret_count = 0;
	for (char *word = strtok_r(copy, ", ", &save); word; word = strtok_r(NULL, ", ", &save))
		list[(*ret_count)++] = make_find(make, word);
	return list;
}

#endif
