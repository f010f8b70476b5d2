#include <ctype.h>
#include <string.h>

#include "parse/identity.h"
#include "parse/lexer.h"
#include "parse/records_internal.h"

/* How far behind the closing brace attributes are looked for. */
enum { MAX_TAIL = 4096 };

static const char *const randomizers[] = { "randomize_layout", "__randomize_layout__",
					   "randomized_struct_fields_start", "randomized_struct_fields_end" };
/* Makes one of the above in some configurations. */
static const char *const randomizers_elsewhere[] = { "__randomize_layout" };
static const char *const foreign_orders[] = { "scalar_storage_order", "__scalar_storage_order__" };
static const char *const foreign_layouts[] = { "ms_struct", "__ms_struct__" };

struct attributes {
	bool visible;
};

static enum CXChildVisitResult note_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_isAttribute(clang_getCursorKind(cursor)))
		((struct attributes *)data)->visible = true;
	return CXChildVisit_Continue;
}

/* #pragma pack leaves an attribute that libclang counts but does not show. */
static bool has_hidden_attribute(CXCursor cursor)
{
	struct attributes attributes = { false };

	if (!clang_Cursor_hasAttrs(cursor))
		return false;
	clang_visitChildren(cursor, note_attribute, &attributes);
	return !attributes.visible;
}

static unsigned definition_line(const struct rs_definition *definition)
{
	return rs_source_position(definition->source, definition->span.start).line;
}

/* #pragma pack(n) lowers every alignment above n, so the record's own tells n wherever it matters. */
void rs_refusals_apply_pack(struct rs_definition *definition, uint32_t record_align_bytes,
			    struct rs_pin_list *pins)
{
	uint32_t largest = 1;
	bool has_bitfields = false;
	struct rs_member *members = definition->members;

	if (definition->is_packed || definition->packed_member != RS_NONE)
		return;
	for (size_t i = 0; i < definition->n_members; i += 1 + members[i].n_inside) {
		has_bitfields |= members[i].is_bitfield;
		if (!members[i].is_bitfield && members[i].align_bytes > largest)
			largest = members[i].align_bytes;
	}
	bool is_capped = record_align_bytes < largest;
	if (!is_capped && !has_hidden_attribute(definition->cursor))
		return;
	for (size_t i = 0; is_capped && i < definition->n_members; i += 1 + members[i].n_inside)
		if (!members[i].is_bitfield && members[i].align_bytes > record_align_bytes)
			members[i].align_bytes = record_align_bytes;
	if (has_bitfields)
		rs_pin_add(pins, "pragma-pack", RS_PIN_HARD, RS_NONE, definition_line(definition), true,
			   "#pragma pack is in force, which changes the rules for bit-fields");
	else if (is_capped)
		rs_pin_add(pins, "pragma-pack", RS_PIN_CONTRACT, RS_NONE, definition_line(definition), true,
			   "#pragma pack lowers alignments to %u: the bytes of this struct are likely a format",
			   record_align_bytes);
	else
		rs_pin_add(pins, "pragma-pack", RS_PIN_ADVICE, RS_NONE, definition_line(definition), false,
			   "#pragma pack is in force but changes no alignment here");
}

struct search {
	const char *text;
	const char *const *words;
	size_t n_words;
	struct rs_token found;
};

static bool find_word(struct search *search, struct rs_span span)
{
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, search->text, span.start, span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		for (size_t i = 0; i < search->n_words; i++)
			if (token.kind == RS_TOKEN_IDENTIFIER &&
			    rs_token_is(search->text, token, search->words[i])) {
				search->found = token;
				return true;
			}
	return false;
}

/* The definition up to the semicolon behind it: attributes may follow the closing brace. */
static struct rs_span whole_declaration(const struct rs_definition *definition)
{
	const struct rs_source *source = definition->source;
	size_t end = definition->span.end, rest = source->size - end;
	struct rs_lexer lexer;

	end += rest < MAX_TAIL ? rest : MAX_TAIL;
	rs_lexer_init(&lexer, source->text, definition->span.end, end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (rs_token_is(source->text, token, ";"))
			return (struct rs_span) { definition->span.start, token.span.start };
	return (struct rs_span) { definition->span.start, end };
}

static unsigned line_of_word(const struct rs_definition *definition, const char *const *words, size_t n_words)
{
	struct search search = { .text = definition->source->text, .words = words, .n_words = n_words };

	if (!find_word(&search, whole_declaration(definition)))
		return 0;
	return rs_source_position(definition->source, search.found.span.start).line;
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word)
{
	for (const char *found = text; (found = strstr(found, word)); found++)
		if (!(found > text && is_word_byte(found[-1])) && !is_word_byte(found[strlen(word)]))
			return true;
	return false;
}

static bool names_any(const char *text, const char *const *words, size_t n_words)
{
	for (size_t i = 0; i < n_words; i++)
		if (has_word(text, words[i]))
			return true;
	return false;
}

/* The line of a warning that one of these attributes, spelled by a macro, is ignored; 0 when there is none. */
static unsigned line_of_warning(const struct rs_record_builder *builder, const struct rs_definition *definition,
				const char *const *words, size_t n_words)
{
	unsigned count = clang_getNumDiagnostics(builder->clang), line = 0;
	struct rs_span whole = whole_declaration(definition);

	for (unsigned i = 0; i < count && line == 0; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(builder->clang, i);
		struct rs_clang_place place = rs_clang_place_of(clang_getDiagnosticLocation(diagnostic), true);

		if (place.file && rs_identity_is_same(place.file, definition->file) &&
		    place.byte >= whole.start && place.byte < whole.end &&
		    names_any(rs_tu_string(builder->arena, clang_getDiagnosticSpelling(diagnostic)), words,
			      n_words))
			line = rs_source_position(definition->source, place.byte).line;
		clang_disposeDiagnostic(diagnostic);
	}
	return line;
}

static unsigned line_of_attribute(const struct rs_record_builder *builder,
				  const struct rs_definition *definition, const char *const *words,
				  size_t n_words)
{
	unsigned line = line_of_word(definition, words, n_words);

	if (line == 0 && names_any(rs_spelling_printed(builder, definition->cursor), words, n_words))
		line = definition_line(definition);
	return line ? line : line_of_warning(builder, definition, words, n_words);
}

static void find_packed(const struct rs_definition *definition, const struct rs_record *record,
			struct rs_pin_list *pins)
{
	if (definition->is_packed) {
		rs_pin_add(pins, "packed", RS_PIN_HARD, RS_NONE, definition_line(definition), true,
			   "the struct is packed: its bytes are a format");
		return;
	}
	if (definition->packed_member == RS_NONE)
		return;
	const struct rs_member *member = &record->members[definition->packed_member];
	rs_pin_add(pins, "packed", RS_PIN_HARD, member->unit, member->line, true,
		   "'%s' is packed: the struct's bytes are a format", member->declaration);
}

static void find_randomized(const struct rs_record_builder *builder, const struct rs_definition *definition,
			    struct rs_pin_list *pins)
{
	unsigned line = line_of_attribute(builder, definition, randomizers, RS_COUNT_OF(randomizers));

	if (line) {
		rs_pin_add(pins, "randomized-layout", RS_PIN_HARD, RS_NONE, line, true,
			   "the compiler may shuffle this struct: the order in the source means nothing");
		return;
	}
	line = line_of_word(definition, randomizers_elsewhere, RS_COUNT_OF(randomizers_elsewhere));
	if (line)
		rs_pin_add(pins, "randomized-layout", RS_PIN_CONTRACT, RS_NONE, line, true,
			   "a build that randomizes layouts shuffles this struct, whatever its order; this "
			   "configuration does not");
}

void rs_refusals_find(const struct rs_record_builder *builder, const struct rs_definition *definition,
		      const struct rs_record *record, struct rs_pin_list *pins)
{
	unsigned line;

	find_packed(definition, record, pins);
	if (clang_Location_isInSystemHeader(clang_getCursorLocation(definition->cursor)))
		rs_pin_add(pins, "system-header", RS_PIN_HARD, RS_NONE, definition_line(definition), true,
			   "the compiler reads this file as a system header (-isystem, or a pragma in it)");
	find_randomized(builder, definition, pins);
	line = line_of_attribute(builder, definition, foreign_orders, RS_COUNT_OF(foreign_orders));
	if (line)
		rs_pin_add(pins, "scalar-storage-order", RS_PIN_HARD, RS_NONE, line, true,
			   "the struct has a byte order of its own: its bytes are a format");
	line = line_of_attribute(builder, definition, foreign_layouts, RS_COUNT_OF(foreign_layouts));
	if (line)
		rs_pin_add(pins, "ms-struct", RS_PIN_HARD, RS_NONE, line, true,
			   "the struct is laid out by Microsoft's rules");
	if (definition->dispute)
		rs_pin_add(pins, "disputed-layout", RS_PIN_HARD, RS_NONE,
			   record->members[definition->disputed_member].line, true,
			   "'%s' may be laid out in another way by the build's compiler: %s",
			   record->members[definition->disputed_member].declaration, definition->dispute);
	if (definition->has_unknown_align)
		rs_pin_add(pins, "unknown-alignment", RS_PIN_HARD, RS_NONE, definition_line(definition), true,
			   "what an alignment attribute on a member asks for could not be found out");
}
