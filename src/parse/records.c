#include "parse/records.h"

#include <string.h>

#include "base/file.h"
#include "parse/identity.h"
#include "parse/records_internal.h"

/* The search for definitions. outer is the name of the enclosing definition, NULL at the top. */
struct search {
	struct rs_record_builder *builder;
	CXFile file; /* NULL: any that is not a system header */
	CXCursor parent;
	const char *outer;
};

static bool is_wanted_file(const struct search *search, CXCursor cursor, CXFile file)
{
	if (!file)
		return false;
	if (search->file)
		return rs_identity_is_same(file, search->file) != 0;
	return !clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) &&
	       !rs_tu_is_prelude(search->builder->tu, file);
}

struct declarator_search {
	struct rs_record_builder *builder;
	CXCursor record;
	const char *name;
};

/* The record that a declarator's type is made of, through pointers, arrays and functions. */
static CXCursor declared_record(CXType type)
{
	for (unsigned depth = 0; depth < 64; depth++) {
		CXType canonical = clang_getCanonicalType(type);

		if (canonical.kind == CXType_Pointer)
			type = clang_getPointeeType(canonical);
		else if (canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray)
			type = clang_getArrayElementType(canonical);
		else if (canonical.kind == CXType_FunctionProto || canonical.kind == CXType_FunctionNoProto)
			type = clang_getResultType(canonical);
		else
			return clang_getTypeDeclaration(canonical);
	}
	return clang_getNullCursor();
}

static enum CXVisitorResult visit_declarator(CXCursor field, CXClientData data)
{
	struct declarator_search *search = (struct declarator_search *)data;

	if (!clang_equalCursors(declared_record(clang_getCursorType(field)), search->record))
		return CXVisit_Continue;
	search->name = rs_tu_string(search->builder->arena, clang_getCursorSpelling(field));
	return CXVisit_Break;
}

/* The first member that the record without a name is the type of; NULL for a C11 anonymous one. */
static const char *declarator_name(struct rs_record_builder *builder, CXCursor parent, CXCursor record)
{
	struct declarator_search search = { .builder = builder, .record = record };

	clang_Type_visitFields(clang_getCursorType(parent), visit_declarator, &search);
	return search.name && *search.name && !strpbrk(search.name, " (:") ? search.name : NULL;
}

static bool is_aggregate(CXCursor cursor)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl;
}

static const char *after_keyword(const char *spelling)
{
	static const char *const keywords[] = { "struct ", "union " };

	for (size_t i = 0; i < RS_COUNT_OF(keywords); i++)
		if (strncmp(spelling, keywords[i], strlen(keywords[i])) == 0)
			return spelling + strlen(keywords[i]);
	return NULL;
}

static char *name_by_place(struct rs_record_builder *builder, CXCursor cursor)
{
	CXFile file;
	unsigned line;

	clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, &line, NULL, NULL);
	const char *path = file ? rs_tu_file_path(builder->tu, file, builder->arena) : "";
	return rs_arena_printf(builder->arena, "%s:%u", rs_path_basename(path), line);
}

/* NULL for a C11 anonymous member, which is a part of the definition around it. */
static const char *name_definition(const struct search *search, CXCursor cursor, bool *ret_is_typedef)
{
	struct rs_record_builder *builder = search->builder;
	struct rs_arena *arena = builder->arena;

	*ret_is_typedef = false;
	/* In C++ a type's name has neither keyword nor typedef, but the names of what is around it. */
	if (rs_tu_is_cxx(builder->tu) && !clang_Cursor_isAnonymous(cursor)) {
		const char *name = rs_tu_string(arena, clang_getCursorSpelling(cursor));

		if (*name)
			return name;
	}
	if (!clang_Cursor_isAnonymous(cursor)) {
		const char *spelling = rs_tu_string(arena, clang_getTypeSpelling(clang_getCursorType(cursor)));
		const char *tag = after_keyword(spelling);

		*ret_is_typedef = !tag;
		return tag ? tag : spelling;
	}
	if (!search->outer)
		return name_by_place(builder, cursor);
	const char *member = declarator_name(builder, search->parent, cursor);
	return member ? rs_arena_printf(arena, "%s::%s", search->outer, member) : NULL;
}

struct spelling {
	size_t start; /* of the macro's name */
	bool is_outside;
};

static enum CXChildVisitResult look_outside(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct spelling *spelling = data;
	CXSourceLocation location = clang_getCursorLocation(cursor);

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_FieldDecl ||
	    (rs_clang_place_of(location, true).byte == spelling->start &&
	     rs_clang_place_of(location, false).byte == spelling->start))
		return CXChildVisit_Continue;
	spelling->is_outside = true;
	return CXChildVisit_Break;
}

/* Whether the struct and its members come from one use of a macro, which is not given the members. */
static bool is_one_expansion(CXCursor definition, struct rs_clang_place start)
{
	struct spelling spelling = { .start = start.byte };

	if (start.is_macro)
		clang_visitChildren(definition, look_outside, &spelling);
	return start.is_macro && !spelling.is_outside;
}

static void set_extent(struct rs_definition *definition)
{
	CXSourceRange extent = clang_getCursorExtent(definition->cursor);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeEnd(extent), true);
	struct rs_clang_place name = rs_clang_place_of(clang_getCursorLocation(definition->cursor), true);

	definition->file = start.file;
	definition->span = (struct rs_span) { start.byte, end.byte };
	definition->has_macro_braces = start.is_macro || end.is_macro || name.is_macro;
	definition->is_unnamed_macro =
		clang_Cursor_isAnonymous(definition->cursor) && is_one_expansion(definition->cursor, start);
	if (!end.file || !rs_identity_is_same(start.file, end.file) || end.byte <= start.byte) {
		definition->has_macro_braces = true;
		definition->span.end = start.byte;
	}
}

static void add_definition(const struct search *search, CXCursor cursor, const char *name, bool is_typedef)
{
	struct rs_record_builder *builder = search->builder;
	struct rs_definition definition = { .cursor = cursor, .name = name, .is_typedef = is_typedef };

	definition.type = clang_getCursorType(cursor);
	set_extent(&definition);
	if (is_wanted_file(search, cursor, definition.file))
		*rs_array_push(builder->arena, builder->definitions, builder->n_definitions,
			       builder->definitions_capacity) = definition;
}

static enum CXChildVisitResult visit_definition(CXCursor cursor, CXCursor parent, CXClientData data)
{
	const struct search *search = (const struct search *)data;
	bool is_typedef;

	if (!is_aggregate(cursor) || !clang_isCursorDefinition(cursor))
		return CXChildVisit_Continue;
	CXFile file = rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(cursor)), true).file;
	if (!search->outer && !is_wanted_file(search, cursor, file))
		return CXChildVisit_Continue;
	struct search inside = *search;
	inside.parent = parent;
	const char *name = name_definition(&inside, cursor, &is_typedef);
	if (name && clang_getCursorKind(cursor) == CXCursor_StructDecl)
		add_definition(search, cursor, name, is_typedef);
	inside.outer = name ? name : search->outer;
	clang_visitChildren(cursor, visit_definition, &inside);
	return CXChildVisit_Continue;
}

static void note_inclusion(CXFile included, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct rs_record_builder *builder = (struct rs_record_builder *)data;

	if (depth == 0)
		return;
	struct rs_clang_place place = rs_clang_place_of(stack[0], true);
	*rs_array_push(builder->arena, builder->inclusions, builder->n_inclusions,
		       builder->inclusions_capacity) =
		(struct rs_record_inclusion) { included, place.file, place.byte };
}

static void find_definitions(struct rs_record_builder *builder, CXFile file)
{
	struct search search = { .builder = builder, .file = file };

	clang_visitChildren(clang_getTranslationUnitCursor(builder->clang), visit_definition, &search);
}

static void builder_init(struct rs_record_builder *builder, struct rs_tu *tu, struct rs_arena *arena)
{
	*builder = (struct rs_record_builder) { .tu = tu, .clang = rs_tu_clang(tu), .arena = arena };
	builder->policy = clang_getCursorPrintingPolicy(clang_getTranslationUnitCursor(builder->clang));
	clang_PrintingPolicy_setProperty(builder->policy, CXPrintingPolicy_TerseOutput, 1);
}

static void builder_deinit(struct rs_record_builder *builder)
{
	clang_PrintingPolicy_dispose(builder->policy);
}

static const struct rs_span *skipped_ranges(struct rs_record_builder *builder, CXFile file, size_t *ret_count)
{
	CXSourceRangeList *list = clang_getSkippedRanges(builder->clang, file);
	size_t count = list ? list->count : 0;
	struct rs_span *spans = rs_arena_array(builder->arena, struct rs_span, count);

	for (size_t i = 0; i < count; i++)
		spans[i] =
			(struct rs_span) { rs_clang_place_of(clang_getRangeStart(list->ranges[i]), true).byte,
					   rs_clang_place_of(clang_getRangeEnd(list->ranges[i]), true).byte };
	clang_disposeSourceRangeList(list);
	*ret_count = count;
	return spans;
}

struct rs_error *rs_records_source(struct rs_record_builder *builder, CXFile file,
				   const struct rs_record_source **ret_source)
{
	const struct rs_source *text;

	for (size_t i = 0; i < builder->n_sources; i++)
		if (rs_identity_is_same(builder->sources[i]->file, file)) {
			*ret_source = builder->sources[i];
			return NULL;
		}
	RS_TRY(rs_tu_source(builder->tu, file, builder->arena, &text));
	struct rs_record_source *source = rs_arena_new(builder->arena, struct rs_record_source);
	source->file = file;
	source->source = text;
	source->skipped = skipped_ranges(builder, file, &source->n_skipped);
	*rs_array_push(builder->arena, builder->sources, builder->n_sources, builder->sources_capacity) =
		source;
	*ret_source = source;
	return NULL;
}

static struct rs_error *diagnostic_error(struct rs_record_builder *builder,
					 const struct rs_definition *definition, CXDiagnostic diagnostic)
{
	unsigned line, column;
	const char *message = rs_tu_string(builder->arena, clang_getDiagnosticSpelling(diagnostic));

	clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), NULL, &line, &column, NULL);
	return rs_error_create(RS_ERROR_PARSE, definition->source->path, line, column, "in struct '%s': %s",
			       definition->name, message);
}

/* Behind an error the compiler repairs what it saw: sizes and offsets would be a guess. */
static struct rs_error *check_no_error_inside(struct rs_record_builder *builder,
					      const struct rs_definition *definition)
{
	unsigned count = clang_getNumDiagnostics(builder->clang);
	struct rs_error *error = NULL;

	for (unsigned i = 0; i < count && !error; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(builder->clang, i);
		struct rs_clang_place place = rs_clang_place_of(clang_getDiagnosticLocation(diagnostic), true);

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && place.file &&
		    rs_identity_is_same(place.file, definition->file) && place.byte >= definition->span.start &&
		    place.byte <= definition->span.end)
			error = diagnostic_error(builder, definition, diagnostic);
		clang_disposeDiagnostic(diagnostic);
	}
	return error;
}

static struct rs_error *collect(struct rs_record_builder *builder, size_t index)
{
	struct rs_definition *definition = &builder->definitions[index];

	RS_TRY(rs_records_source(builder, definition->file, &definition->text));
	definition->source = definition->text->source;
	RS_TRY(check_no_error_inside(builder, definition));
	if (clang_isInvalidDeclaration(definition->cursor) || clang_Type_getSizeOf(definition->type) < 0)
		return rs_error_create(RS_ERROR_PARSE, definition->source->path,
				       rs_source_position(definition->source, definition->span.start).line, 0,
				       "the compiler has no layout for struct '%s'", definition->name);
	return rs_members_collect(builder, index);
}

static const struct rs_record *build(const struct rs_record_builder *builder, struct rs_definition *definition)
{
	struct rs_record *record = rs_arena_new(builder->arena, struct rs_record);
	struct rs_pin_list pins = { .arena = builder->arena };

	record->name = definition->name;
	record->is_typedef = definition->is_typedef;
	record->source = definition->source;
	record->span = definition->span;
	record->size_bytes = (uint64_t)clang_Type_getSizeOf(definition->type);
	record->align_bytes = (uint32_t)clang_Type_getAlignOf(definition->type);
	rs_refusals_apply_pack(definition, record->align_bytes, &pins);
	rs_join_units(builder, definition, record, &pins);
	record->members = definition->members;
	record->n_members = definition->n_members;
	rs_refusals_find(builder, definition, record, &pins);
	rs_pins_find(&pins, record);
	record->pins = pins.pins;
	record->n_pins = pins.n_pins;
	record->constraints = pins.constraints;
	record->n_constraints = pins.n_constraints;
	record->skipped = definition->text->skipped;
	record->n_skipped = definition->text->n_skipped;
	return record;
}

/* `TAILQ_ENTRY(s) next;`: what other structs have such a field for is not for this one to say, nor is its
 * order. */
static bool is_wanted(const struct rs_definition *definition, const char *name)
{
	return name ? strcmp(definition->name, name) == 0 : !definition->is_unnamed_macro;
}

static void keep_wanted(struct rs_record_builder *builder, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < builder->n_definitions; i++)
		if (is_wanted(&builder->definitions[i], name))
			builder->definitions[kept++] = builder->definitions[i];
	builder->n_definitions = kept;
}

static struct rs_error *build_all(struct rs_record_builder *builder, const struct rs_record ***ret_records)
{
	const struct rs_record **records =
		rs_arena_array(builder->arena, const struct rs_record *, builder->n_definitions);

	clang_getInclusions(builder->clang, note_inclusion, builder);
	for (size_t i = 0; i < builder->n_definitions; i++)
		RS_TRY(collect(builder, i));
	rs_alignment_ask(builder);
	for (size_t i = 0; i < builder->n_definitions; i++)
		records[i] = build(builder, &builder->definitions[i]);
	*ret_records = records;
	return NULL;
}

/* False when the unit does not read the file. */
static bool find_file(struct rs_tu *tu, const char *path, CXFile *ret_file)
{
	*ret_file = path ? rs_tu_file(tu, path) : NULL;
	return !path || *ret_file;
}

struct rs_error *rs_records_find(struct rs_tu *tu, struct rs_arena *arena, const struct rs_record_query *query,
				 const struct rs_record ***ret_records, size_t *ret_count)
{
	struct rs_record_builder builder;
	const struct rs_record **records = NULL;
	CXFile file;

	builder_init(&builder, tu, arena);
	if (find_file(tu, query->file, &file))
		find_definitions(&builder, file);
	keep_wanted(&builder, query->name);
	struct rs_error *error = build_all(&builder, &records);
	builder_deinit(&builder);
	if (error)
		return error;
	*ret_records = records;
	*ret_count = builder.n_definitions;
	return NULL;
}

struct rs_error *rs_records_names(struct rs_tu *tu, struct rs_arena *arena, const char *file,
				  const char *const **ret_names, size_t *ret_count)
{
	struct rs_record_builder builder;
	CXFile clang_file;

	builder_init(&builder, tu, arena);
	if (find_file(tu, file, &clang_file))
		find_definitions(&builder, clang_file);
	builder_deinit(&builder);
	const char **names = rs_arena_array(arena, const char *, builder.n_definitions);
	for (size_t i = 0; i < builder.n_definitions; i++)
		names[i] = builder.definitions[i].name;
	*ret_names = names;
	*ret_count = builder.n_definitions;
	return NULL;
}
