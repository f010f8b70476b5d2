#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "parse/identity.h"
#include "parse/records_internal.h"

#define PROBE_PREFIX "rs_alignment_probe_"

static enum CXChildVisitResult note_aligned(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_AlignedAttr)
		*(bool *)data = true;
	return CXChildVisit_Continue;
}

/* "aligned(32)" or "_Alignas(32)": the number; 0 when it is anything else. */
static uint32_t read_literal(const char *attribute)
{
	const char *digits = attribute + strcspn(attribute, "0123456789");
	const char *opening = strrchr(attribute, '(');
	char *end;

	if (!*digits || !opening || digits != opening + 1)
		return 0;
	unsigned long value = strtoul(digits, &end, 10);
	end += strspn(end, "uUlL");
	return *end == ')' && value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* Each of the attributes, separated by ") ". */
static uint32_t read_literals(struct rs_arena *arena, const char *attributes)
{
	char *copy = rs_arena_strdup(arena, attributes);
	uint32_t largest = 0;

	for (char *at = copy, *end; *at; at = end) {
		end = strstr(at, ") ");
		if (!end)
			return 0;
		end[1] = '\0';
		end += 2;
		uint32_t value = read_literal(at);
		if (value == 0)
			return 0;
		if (value > largest)
			largest = value;
	}
	return largest;
}

bool rs_alignment_read(struct rs_record_builder *builder, CXCursor field, uint32_t *ret_bytes,
		       const char **ret_expression)
{
	struct rs_arena *arena = builder->arena;
	bool is_aligned = false;

	*ret_bytes = 0;
	*ret_expression = NULL;
	if (!clang_Cursor_hasAttrs(field))
		return true;
	clang_visitChildren(field, note_aligned, &is_aligned);
	if (!is_aligned)
		return true;
	const char *attributes = rs_spelling_attributes(arena, rs_spelling_printed(builder, field));
	*ret_bytes = read_literals(arena, attributes);
	if (*ret_bytes > 0)
		return true;
	if (*attributes)
		*ret_expression = rs_arena_printf(arena, "_Alignof(struct { %schar c; })", attributes);
	return false;
}

void rs_alignment_apply(struct rs_definition *definition, size_t member, uint32_t requested_bytes)
{
	struct rs_member *raised = &definition->members[member];

	raised->requested_align_bytes = requested_bytes;
	if (!raised->is_bitfield && raised->align_bytes < requested_bytes)
		raised->align_bytes = requested_bytes;
}

struct answers {
	struct rs_record_builder *builder;
	CXTranslationUnit clang;
};

static bool has_error_at(CXTranslationUnit clang, CXCursor cursor)
{
	struct rs_clang_place place = rs_clang_place_of(clang_getCursorLocation(cursor), true);
	unsigned line, count = clang_getNumDiagnostics(clang);
	bool found = false;

	clang_getExpansionLocation(clang_getCursorLocation(cursor), NULL, &line, NULL, NULL);
	for (unsigned i = 0; i < count && !found; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(clang, i);
		CXFile file;
		unsigned at;

		clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &at, NULL, NULL);
		found = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && at == line && file &&
			rs_identity_is_same(file, place.file);
		clang_disposeDiagnostic(diagnostic);
	}
	return found;
}

static void take_answer(struct answers *answers, CXCursor constant)
{
	struct rs_record_builder *builder = answers->builder;
	char *name = rs_tu_string(builder->arena, clang_getCursorSpelling(constant));

	if (strncmp(name, PROBE_PREFIX, strlen(PROBE_PREFIX)) != 0)
		return;
	size_t index = strtoul(name + strlen(PROBE_PREFIX), NULL, 10);
	long long value = clang_getEnumConstantDeclValue(constant);
	if (index >= builder->n_probes || value <= 0 || value > UINT32_MAX ||
	    clang_isInvalidDeclaration(constant) || has_error_at(answers->clang, constant))
		return;
	struct rs_alignment_probe *probe = &builder->probes[index];
	rs_alignment_apply(&builder->definitions[probe->definition], probe->member, (uint32_t)value);
	probe->expression = NULL;
}

static enum CXChildVisitResult visit_answer(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_EnumDecl)
		return CXChildVisit_Recurse;
	if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl)
		take_answer((struct answers *)data, cursor);
	return CXChildVisit_Continue;
}

static struct rs_error *parse_probes(struct rs_record_builder *builder)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *asked = NULL;
	const char *path = rs_tu_main_file(builder->tu);
	const struct rs_source *main_source;
	CXFile file = rs_tu_file(builder->tu, path);

	if (!file)
		return NULL;
	RS_TRY(rs_tu_source(builder->tu, file, builder->arena, &main_source));
	rs_builder_append(&text, main_source->text, main_source->size);
	for (size_t i = 0; i < builder->n_probes; i++)
		rs_builder_printf(&text, "\nenum { " PROBE_PREFIX "%zu = %s };\n", i,
				  builder->probes[i].expression);
	struct rs_buffer buffer = { .path = path, .text = text.data, .size = text.length };
	RS_TRY(rs_tu_reopen(builder->tu, &buffer, 1, &asked));
	struct answers answers = { builder, rs_tu_clang(asked) };
	clang_visitChildren(clang_getTranslationUnitCursor(answers.clang), visit_answer, &answers);
	return NULL;
}

void rs_alignment_ask(struct rs_record_builder *builder)
{
	if (builder->n_probes == 0)
		return;
	/* A unit that cannot be parsed once more leaves the alignments unknown, which is no error of its own.
	 */
	rs_error_destroy(parse_probes(builder));
	for (size_t i = 0; i < builder->n_probes; i++)
		if (builder->probes[i].expression)
			builder->definitions[builder->probes[i].definition].has_unknown_align = true;
}
