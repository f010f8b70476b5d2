#include <ctype.h>
#include <string.h>

#include "parse/identity.h"
#include "parse/records_internal.h"

/* Nesting and number of members that are followed; what lies deeper is bytes of its enclosing member. */
enum { MAX_DEPTH = 8, MAX_MEMBERS = 20000 };

struct field_list {
	struct rs_arena *arena;
	CXCursor *items;
	size_t n_items, items_capacity;
};

/* Where the members that are being added lie. */
struct level {
	size_t parent;
	uint64_t base_bits;
	const char *path;
	unsigned depth;
};

static enum CXVisitorResult note_field(CXCursor cursor, CXClientData data)
{
	struct field_list *list = (struct field_list *)data;

	*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) = cursor;
	return CXVisit_Continue;
}

static struct field_list list_fields(struct rs_arena *arena, CXType type)
{
	struct field_list list = { .arena = arena };

	clang_Type_visitFields(type, note_field, &list);
	return list;
}

static bool is_record_type(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_Record;
}

/* Whether objects of the type may end in elements that its size does not count. */
static bool is_flexible_type(struct rs_arena *arena, CXType type, unsigned depth)
{
	CXType canonical = clang_getCanonicalType(type);

	if (canonical.kind == CXType_IncompleteArray ||
	    (depth > 0 && canonical.kind == CXType_ConstantArray && clang_getArraySize(canonical) == 0))
		return true;
	if (canonical.kind != CXType_Record || depth > MAX_DEPTH)
		return false;
	struct field_list fields = list_fields(arena, canonical);
	bool is_union = clang_getCursorKind(clang_getTypeDeclaration(canonical)) == CXCursor_UnionDecl;
	for (size_t i = is_union || fields.n_items == 0 ? 0 : fields.n_items - 1; i < fields.n_items; i++)
		if (is_flexible_type(arena, clang_getCursorType(fields.items[i]), depth + 1))
			return true;
	return false;
}

/* The spelling of a field without a name is empty in some versions of libclang and a description in others. */
static const char *field_name(struct rs_arena *arena, CXCursor field)
{
	const char *name = rs_tu_string(arena, clang_getCursorSpelling(field));

	return strpbrk(name, " (:") ? "" : name;
}

static CXType innermost_type(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	for (CXType element; (element = clang_getArrayElementType(canonical)).kind != CXType_Invalid;)
		canonical = clang_getCanonicalType(element);
	return canonical;
}

static void fill_qualifiers(struct rs_member *member, CXType type)
{
	CXType innermost = innermost_type(type);

	member->is_const = clang_isConstQualifiedType(innermost) != 0;
	member->is_volatile = clang_isVolatileQualifiedType(innermost) != 0;
	member->is_atomic = innermost.kind == CXType_Atomic;
}

static void fill_array(struct rs_member *member, CXType type)
{
	CXType canonical = clang_getCanonicalType(type);
	long long count = clang_getArraySize(canonical);

	member->is_array = canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray;
	if (member->is_array && count > 0)
		member->array_count = (uint64_t)count;
}

static bool fill_size(struct rs_member *member, CXCursor field, CXType type)
{
	long long size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
	int width = clang_getFieldDeclBitWidth(field);

	if (clang_getCanonicalType(type).kind == CXType_IncompleteArray)
		size = 0;
	if (size < 0 || size > UINT32_MAX * 8LL || align < 0 || align > UINT32_MAX)
		return false;
	member->is_bitfield = clang_Cursor_isBitField(field) != 0;
	member->type_size_bytes = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	member->align_bytes = (uint32_t)align;
	member->size_bits = member->is_bitfield ? (uint64_t)(width < 0 ? 0 : width) : (uint64_t)size * 8;
	return true;
}

static const char *join_path(struct rs_arena *arena, const char *outer, const char *name)
{
	if (!*name)
		return "";
	return *outer ? rs_arena_printf(arena, "%s.%s", outer, name) : name;
}

static bool fill_member(struct rs_record_builder *builder, CXCursor field, const struct level *level,
			struct rs_member *member)
{
	CXType type = clang_getCursorType(field);
	long long offset = clang_Cursor_getOffsetOfField(field);

	if (offset < 0 || !fill_size(member, field, type))
		return false;
	member->name = field_name(builder->arena, field);
	member->path = join_path(builder->arena, level->path, member->name);
	member->type = rs_spelling_type(builder->arena, type);
	member->declaration = rs_spelling_declaration(builder, field);
	member->parent = level->parent;
	member->unit = RS_NONE;
	member->offset_bits = level->base_bits + (uint64_t)offset;
	member->is_flexible = is_flexible_type(builder->arena, type, 0);
	fill_qualifiers(member, type);
	fill_array(member, type);
	if (is_record_type(type)) {
		CXCursor declaration = clang_getTypeDeclaration(clang_getCanonicalType(type));

		member->is_union = clang_getCursorKind(declaration) == CXCursor_UnionDecl;
		member->is_anonymous = !*member->name;
		if (member->is_anonymous)
			member->declaration = clang_Cursor_isAnonymous(declaration)
						      ? (member->is_union ? "union" : "struct")
						      : member->type;
	}
	return true;
}

static enum CXChildVisitResult note_packed(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_PackedAttr)
		*(bool *)data = true;
	return CXChildVisit_Continue;
}

static bool is_packed(CXCursor cursor)
{
	bool packed = false;

	if (clang_Cursor_hasAttrs(cursor))
		clang_visitChildren(cursor, note_packed, &packed);
	return packed;
}

static void note_dispute(struct rs_record_builder *builder, struct rs_definition *definition, size_t member,
			 CXCursor field)
{
	bool is_nested = definition->members[member].parent != RS_NONE;

	if (definition->dispute)
		return;
	definition->dispute = rs_disputes_find(builder, field, is_nested);
	definition->disputed_member = member;
}

static void read_alignment(struct rs_record_builder *builder, size_t index, size_t member, CXCursor field)
{
	struct rs_definition *definition = &builder->definitions[index];
	struct rs_member *aligned = &definition->members[member];
	const char *expression;
	uint32_t requested;

	if (aligned->parent == RS_NONE && (definition->is_packed || is_packed(field))) {
		if (!definition->is_packed && definition->packed_member == RS_NONE)
			definition->packed_member = member;
		aligned->align_bytes = 1;
	}
	if (rs_alignment_read(builder, field, &requested, &expression))
		rs_alignment_apply(definition, member, requested);
	else if (aligned->parent != RS_NONE)
		return; /* no order depends on it */
	else if (!expression)
		definition->has_unknown_align = true;
	else
		*rs_array_push(builder->arena, builder->probes, builder->n_probes, builder->probes_capacity) =
			(struct rs_alignment_probe) { index, member, expression };
}

struct rs_clang_place rs_clang_place_of(CXSourceLocation location, bool expansion)
{
	struct rs_clang_place place = { .is_macro = location.int_data >> 31 != 0 };
	unsigned byte;

	if (expansion)
		clang_getExpansionLocation(location, &place.file, NULL, NULL, &byte);
	else
		clang_getFileLocation(location, &place.file, NULL, NULL, &byte);
	place.byte = byte;
	return place;
}

static bool is_same_file(CXFile a, CXFile b)
{
	return a && b && rs_identity_is_same(a, b);
}

static bool is_spelled_at(const struct rs_source *source, size_t byte, const char *name)
{
	size_t length = strlen(name);

	return byte <= source->size && length <= source->size - byte &&
	       memcmp(source->text + byte, name, length) == 0;
}

static void fill_place(const struct rs_definition *definition, CXCursor field, const struct rs_member *member,
		       struct rs_field_place *place)
{
	CXSourceLocation location = clang_getCursorLocation(field);
	struct rs_clang_place outer = rs_clang_place_of(location, true);
	struct rs_clang_place text = rs_clang_place_of(location, false);
	struct rs_clang_place start =
		rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(field)), true);

	*place = (struct rs_field_place) { .file = outer.file, .byte = outer.byte, .name_byte = outer.byte };
	place->is_macro = outer.is_macro;
	place->start_byte = is_same_file(start.file, outer.file) ? start.byte : outer.byte;
	if (!is_same_file(text.file, definition->file))
		return;
	place->is_spelled = is_spelled_at(definition->source, text.byte, member->name);
	if (place->is_spelled)
		place->name_byte = text.byte;
}

static struct rs_error *add_fields(struct rs_record_builder *builder, size_t index, CXType type,
				   const struct level *level);

static struct rs_error *no_layout(const struct rs_definition *definition, CXCursor cursor)
{
	unsigned line, column;

	clang_getExpansionLocation(clang_getCursorLocation(cursor), NULL, &line, &column, NULL);
	return rs_error_create(RS_ERROR_PARSE, definition->source->path, line, column,
			       "the compiler has no layout for struct '%s'", definition->name);
}

static struct rs_error *add_inside(struct rs_record_builder *builder, size_t index, size_t member, CXType type,
				   const struct level *level)
{
	struct rs_definition *definition = &builder->definitions[index];
	const char *path = definition->members[member].path;
	struct level inside = { .parent = member,
				.base_bits = definition->members[member].offset_bits,
				.path = *path ? path : level->path,
				.depth = level->depth + 1 };

	if (!is_record_type(type) || inside.depth > MAX_DEPTH)
		return NULL;
	size_t before = definition->n_members;
	RS_TRY(add_fields(builder, index, clang_getCanonicalType(type), &inside));
	definition->members[member].n_inside = definition->n_members - before;
	definition->members[member].is_aggregate = true;
	return NULL;
}

static struct rs_error *add_field(struct rs_record_builder *builder, size_t index, CXCursor field,
				  const struct level *level)
{
	struct rs_arena *arena = builder->arena;
	struct rs_definition *definition = &builder->definitions[index];
	struct rs_member *member =
		rs_array_push(arena, definition->members, definition->n_members, definition->members_capacity);
	size_t added = definition->n_members - 1, n_places = added;
	struct rs_field_place *place =
		rs_array_push(arena, definition->places, n_places, definition->places_capacity);

	if (!fill_member(builder, field, level, member))
		return no_layout(definition, field);
	fill_place(definition, field, member, place);
	read_alignment(builder, index, added, field);
	note_dispute(builder, definition, added, field);
	return add_inside(builder, index, added, clang_getCursorType(field), level);
}

static struct rs_error *add_fields(struct rs_record_builder *builder, size_t index, CXType type,
				   const struct level *level)
{
	struct field_list fields = list_fields(builder->arena, type);
	struct rs_definition *definition = &builder->definitions[index];

	if (clang_isInvalidDeclaration(clang_getTypeDeclaration(type)))
		return no_layout(definition, clang_getTypeDeclaration(type));
	for (size_t i = 0; i < fields.n_items; i++) {
		if (level->depth > 0 && definition->n_members >= MAX_MEMBERS)
			return NULL;
		RS_TRY(add_field(builder, index, fields.items[i], level));
	}
	return NULL;
}

struct rs_error *rs_members_collect(struct rs_record_builder *builder, size_t definition)
{
	struct rs_definition *collected = &builder->definitions[definition];
	struct level top = { .parent = RS_NONE, .path = "" };

	collected->packed_member = RS_NONE;
	collected->is_packed = is_packed(collected->cursor);
	return add_fields(builder, definition, clang_getCanonicalType(collected->type), &top);
}
