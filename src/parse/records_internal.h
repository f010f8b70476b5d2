/*
 * What the files behind records.h share: one struct definition on its way from cursors to a record.
 *
 *   records.c    which definitions there are, their names, the order of the steps below
 *   members.c    fields as libclang sees them → members
 *   alignment.c  what alignment attributes ask for, which libclang does not tell
 *   spelling.c   types and declarations as text without places or attributes in it
 *   join.c       source units of the text ↔ members
 *   disputes.c   members that compilers lay out differently
 *   barriers.c   text that no unit may cross, and runs that are one unit
 *   refusals.c   what makes a definition impossible to reorder as a whole
 */
#ifndef RS_PARSE_RECORDS_INTERNAL_H
#define RS_PARSE_RECORDS_INTERNAL_H

#include "parse/tu_internal.h"
#include "record/pins.h"

/* Where a field stands. */
struct rs_field_place {
	CXFile file;       /* the one that holds its text; not the record's for an #include in the body */
	size_t byte;       /* of its name in that file; a macro: of the macro's name */
	size_t name_byte;  /* of its name, if the record's file spells it, else byte */
	size_t start_byte; /* of the declaration, likewise */
	bool is_macro;     /* name made by a macro, or given to one */
	bool is_spelled;   /* the file has the name at name_byte */
};

struct rs_definition {
	CXCursor cursor;
	CXType type;
	CXFile file;
	struct rs_span span;
	bool has_macro_braces;
	bool is_unnamed_macro; /* has no name, and all of it is made by one use of a macro */
	const char *name;
	bool is_typedef;
	const struct rs_source *source;
	const struct rs_record_source *text; /* the same with what #if switches off */
	struct rs_member *members;
	struct rs_field_place *places; /* one a member */
	size_t n_members, members_capacity, places_capacity;
	bool is_packed;
	bool has_unknown_align; /* an alignment attribute whose value stays unknown */
	size_t packed_member;   /* RS_NONE */
	size_t disputed_member; /* RS_NONE */
	const char *dispute;    /* why compilers lay it out differently */
};

/* An alignment whose value has to be asked from the compiler: a constant expression and where its value goes.
 */
struct rs_alignment_probe {
	size_t definition; /* index in the builder */
	size_t member;
	const char *expression; /* NULL once answered */
};

struct rs_record_source {
	CXFile file;
	const struct rs_source *source;
	const struct rs_span *skipped; /* what #if switches off */
	size_t n_skipped;
};

/* An #include that the translation unit follows. */
struct rs_record_inclusion {
	CXFile included, includer;
	size_t byte; /* in the includer */
};

struct rs_record_builder {
	struct rs_tu *tu;
	CXTranslationUnit clang;
	struct rs_arena *arena;
	CXPrintingPolicy policy;
	struct rs_definition *definitions;
	size_t n_definitions, definitions_capacity;
	struct rs_record_source **sources; /* of files already asked for */
	size_t n_sources, sources_capacity;
	struct rs_alignment_probe *probes;
	size_t n_probes, probes_capacity;
	struct rs_record_inclusion *inclusions;
	size_t n_inclusions, inclusions_capacity;
};

/* A libclang location as file and byte; expansion: the macro's own place, else the place of the text. */
struct rs_clang_place {
	CXFile file;
	size_t byte;
	bool is_macro;
};
struct rs_clang_place rs_clang_place_of(CXSourceLocation location, bool expansion);

/* The file's text and skipped ranges, read once. */
struct rs_error *rs_records_source(struct rs_record_builder *builder, CXFile file,
				   const struct rs_record_source **ret_source) RS_MUST_USE;

/* Fills members and places. RS_ERROR_PARSE when the compiler has no layout for the definition. */
struct rs_error *rs_members_collect(struct rs_record_builder *builder, size_t definition) RS_MUST_USE;

/* Reads what attributes on a field ask for; false when it takes the compiler to know: *ret_expression. */
bool rs_alignment_read(struct rs_record_builder *builder, CXCursor field, uint32_t *ret_bytes,
		       const char **ret_expression);
/* Raises the member's alignment to what was asked for. */
void rs_alignment_apply(struct rs_definition *definition, size_t member, uint32_t requested_bytes);
/* Answers all probes with one more parse. A probe without an answer marks its definition. */
void rs_alignment_ask(struct rs_record_builder *builder);

/* Why the build's compiler may lay the field out in another way than libclang does; NULL: there is no doubt. */
const char *rs_disputes_find(const struct rs_record_builder *builder, CXCursor field, bool is_nested);

char *rs_spelling_type(struct rs_arena *arena, CXType type);
char *rs_spelling_declaration(const struct rs_record_builder *builder, CXCursor field);
/* Drops "(unnamed struct at x.h:3:1)" and the like, and needless blanks. In place. */
void rs_spelling_drop_places(char *text);
/* Drops attributes. In place. */
void rs_spelling_drop_attributes(char *text);
/* The attributes of a printed declaration that are about alignment, each followed by a blank. */
char *rs_spelling_attributes(struct rs_arena *arena, char *printed);
/* The pretty-printed cursor. arena owns it. */
char *rs_spelling_printed(const struct rs_record_builder *builder, CXCursor cursor);

/* Cuts the text into units and gives each its members; fills record->units, gaps, body and the members' units.
 */
void rs_join_units(const struct rs_record_builder *builder, struct rs_definition *definition,
		   struct rs_record *record, struct rs_pin_list *pins);
/* The units and gaps of a definition while they are changed. gaps has one more. */
struct rs_unit_list {
	const struct rs_definition *definition;
	struct rs_unit *units;
	struct rs_gap *gaps;
	size_t n_units;
};
/* Turns units that make no member into gaps that nothing crosses, keeps what a macro in front of a declaration
 * may belong to where it is, and makes one unit of a run of bit-fields. The units know their members. */
void rs_barriers_apply(struct rs_unit_list *list);

/* Pins that refuse the whole definition for what libclang shows of it and for words around its body. */
void rs_refusals_find(const struct rs_record_builder *builder, const struct rs_definition *definition,
		      const struct rs_record *record, struct rs_pin_list *pins);
/* Caps the members' alignments where #pragma pack does; pins it. */
void rs_refusals_apply_pack(struct rs_definition *definition, uint32_t record_align_bytes,
			    struct rs_pin_list *pins);

#endif
