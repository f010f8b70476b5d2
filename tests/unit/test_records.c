/*
 * Records as parse/ builds them: members, units, names, pins, refusals. Offsets are facts of the System V ABI
 * for x86-64, worked out by hand.
 */
#include "records_fixture.h"

#include "record/pins.h"

struct expected_member {
	const char *path;
	const char *declaration;
	uint64_t offset_bits, size_bits;
	uint32_t align_bytes;
};

static void assert_members(const struct rs_record *record, const struct expected_member *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct rs_member *member = member_at(record, expected[i].path);

		assert_string_equal(member->declaration, expected[i].declaration);
		assert_int_equal(member->offset_bits, expected[i].offset_bits);
		assert_int_equal(member->size_bits, expected[i].size_bits);
		assert_int_equal(member->align_bytes, expected[i].align_bytes);
	}
}

static void test_member_kinds(void **state)
{
	static const char text[] = "typedef unsigned char u8;\n"
				   "struct point { int x, y; };\n"
				   "struct kinds {\n"
				   "	u8 key[16];\n"
				   "	int (*cb)(int, char);\n"
				   "	struct point at, *next;\n"
				   "	union { long u; struct { int lo; char tag; }; float f[3]; };\n"
				   "	struct { short w; long area; } size;\n"
				   "	enum { A, B } state;\n"
				   "	const volatile char flag;\n"
				   "	_Atomic int count;\n"
				   "	int grid[2][3], (*row)[3];\n"
				   "	struct { char on; } opt[2], *cur;\n"
				   "	double tail[];\n"
				   "};\n";
	static const struct expected_member expected[] = {
		{ "key", "u8 key[16]", 0, 128, 1 },
		{ "cb", "int (*cb)(int, char)", 128, 64, 8 },
		{ "at", "struct point at", 192, 64, 4 },
		{ "at.y", "int y", 224, 32, 4 },
		{ "next", "struct point *next", 256, 64, 8 },
		{ "u", "long u", 320, 64, 8 },
		{ "lo", "int lo", 320, 32, 4 },
		{ "tag", "char tag", 352, 8, 1 },
		{ "f", "float f[3]", 320, 96, 4 },
		{ "size", "struct size", 448, 128, 8 },
		{ "size.area", "long area", 512, 64, 8 },
		{ "state", "enum state", 576, 32, 4 },
		{ "flag", "const volatile char flag", 608, 8, 1 },
		{ "count", "_Atomic(int) count", 640, 32, 4 },
		{ "grid", "int grid[2][3]", 672, 192, 4 },
		{ "row", "int (*row)[3]", 896, 64, 8 },
		{ "opt", "struct opt[2]", 960, 16, 1 },
		{ "cur", "struct *cur", 1024, 64, 8 },
		{ "tail", "double tail[]", 1088, 0, 8 },
	};
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	const struct rs_record *record = record_named(&parsed, "kinds");
	assert_members(record, expected, RS_COUNT_OF(expected));
	assert_int_equal(record->size_bytes, 136);
	assert_int_equal(record->align_bytes, 8);
	assert_not_refused(record);
	assert_int_equal(record->n_units, 11);
	assert_string_equal(member_at(record, "key")->type, "u8 [16]");
	assert_int_equal(member_at(record, "key")->array_count, 16);
	assert_true(member_at(record, "flag")->is_const && member_at(record, "flag")->is_volatile);
	assert_true(member_at(record, "count")->is_atomic);
	assert_true(member_at(record, "tail")->is_flexible);
	assert_int_equal(member_at(record, "next")->unit, 2);
	assert_int_equal(member_at(record, "lo")->unit, 3);
	assert_int_equal(member_at(record, "lo")->line, 7);
	assert_int_equal(member_at(record, "at.y")->line, 6);
	assert_int_equal(member_at(record, "row")->column, 20);
	const struct rs_member *anonymous = &record->members[member_at(record, "u")->parent];
	assert_true(anonymous->is_anonymous && anonymous->is_union && anonymous->is_aggregate);
	assert_string_equal(anonymous->declaration, "union");
	assert_int_equal(anonymous->n_inside, 5);
	assert_non_null(pin_of(record, "flexible-array-last"));
	parsed_end(&parsed);
}

static void test_bitfields(void **state)
{
	static const char text[] = "enum e { X, Y };\n"
				   "struct bits {\n"
				   "	unsigned a : 3, b : 30;\n"
				   "	enum e c : 2;\n"
				   "	unsigned : 0;\n"
				   "	_Bool d : 1;\n"
				   "	int : 5;\n"
				   "	char gap;\n"
				   "	long f : 40;\n"
				   "	int g : 3 __attribute__((aligned(8)));\n"
				   "};\n";
	static const struct expected_member expected[] = {
		{ "a", "unsigned int a : 3", 0, 3, 4 }, { "b", "unsigned int b : 30", 32, 30, 4 },
		{ "c", "enum e c : 2", 62, 2, 4 },      { "d", "_Bool d : 1", 64, 1, 1 },
		{ "gap", "char gap", 72, 8, 1 },        { "f", "long f : 40", 80, 40, 8 },
		{ "g", "int g : 3", 128, 3, 4 },
	};
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	const struct rs_record *record = record_named(&parsed, "bits");
	assert_members(record, expected, RS_COUNT_OF(expected));
	assert_int_equal(record->size_bytes, 24);
	assert_int_equal(record->n_units, 3);
	assert_int_equal(record->units[0].n_members, 6);
	assert_int_equal(member_at(record, "g")->requested_align_bytes, 8);
	assert_string_equal(record->members[3].declaration, "unsigned int : 0");
	assert_string_equal(record->members[3].path, "");
	assert_not_refused(record);
	parsed_end(&parsed);
}

static void test_alignment(void **state)
{
	static const char text[] = "#define LINE (1 << 6)\n"
				   "#define __aligned_line __attribute__((aligned(LINE)))\n"
				   "typedef int wide_int __attribute__((aligned(16)));\n"
				   "typedef int low_int __attribute__((aligned(2)));\n"
				   "struct align {\n"
				   "	char a;\n"
				   "	int b __attribute__((aligned(32)));\n"
				   "	_Alignas(long) char c;\n"
				   "	_Alignas(16) _Alignas(4) char d;\n"
				   "	wide_int e;\n"
				   "	char f;\n"
				   "	low_int g;\n"
				   "	char h __aligned_line;\n"
				   "	char i __attribute__((aligned));\n"
				   "	int j : 2 __aligned_line;\n"
				   "} __attribute__((aligned(256)));\n";
	static const struct expected_member expected[] = {
		{ "a", "char a", 0, 8, 1 },         { "b", "int b", 256, 32, 32 },
		{ "c", "char c", 320, 8, 8 },       { "d", "char d", 384, 8, 16 },
		{ "e", "wide_int e", 512, 32, 16 }, { "f", "char f", 544, 8, 1 },
		{ "g", "low_int g", 560, 32, 2 },   { "h", "char h", 1024, 8, 64 },
		{ "i", "char i", 1152, 8, 16 },     { "j", "int j : 2", 1536, 2, 4 },
	};
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	const struct rs_record *record = record_named(&parsed, "align");
	assert_members(record, expected, RS_COUNT_OF(expected));
	assert_int_equal(record->size_bytes, 256);
	assert_int_equal(record->align_bytes, 256);
	assert_int_equal(member_at(record, "j")->requested_align_bytes, 64);
	assert_not_refused(record);
	parsed_end(&parsed);
}

static void test_packed(void **state)
{
	static const char text[] = "#define __packed __attribute__((packed))\n"
				   "struct whole { char a; long b; } __packed;\n"
				   "struct member { char a; int b __packed; };\n"
				   "#pragma pack(push, 2)\n"
				   "struct capped { char a; long b; short c; };\n"
				   "struct same { short a, b; };\n"
				   "struct bits { short a : 3; };\n"
				   "#pragma pack(pop)\n"
				   "struct holds { char a; struct whole w; };\n"
				   "struct ms { char a; int b; } __attribute__((ms_struct));\n";
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	assert_refused(record_named(&parsed, "whole"), "packed");
	assert_int_equal(member_at(record_named(&parsed, "whole"), "b")->offset_bits, 8);
	assert_refused(record_named(&parsed, "member"), "packed");
	assert_refused(record_named(&parsed, "capped"), "pragma-pack");
	assert_int_equal(pin_of(record_named(&parsed, "capped"), "pragma-pack")->strength, RS_PIN_CONTRACT);
	assert_int_equal(member_at(record_named(&parsed, "capped"), "b")->align_bytes, 2);
	assert_null(pin_of(record_named(&parsed, "capped"), "layout-unknown"));
	assert_not_refused(record_named(&parsed, "same"));
	assert_int_equal(pin_of(record_named(&parsed, "same"), "pragma-pack")->strength, RS_PIN_ADVICE);
	assert_refused(record_named(&parsed, "bits"), "pragma-pack");
	assert_not_refused(record_named(&parsed, "holds"));
	assert_int_equal(record_named(&parsed, "holds")->n_pins, 0);
	assert_refused(record_named(&parsed, "ms"), "ms-struct");
	parsed_end(&parsed);
}

static void test_randomized(void **state)
{
	static const char text[] = "#define __randomize_layout\n"
				   "#define randomized_struct_fields_start struct {\n"
				   "#define randomized_struct_fields_end };\n"
				   "#define __shuffled __attribute__((randomize_layout))\n"
				   "#define __order __attribute__((scalar_storage_order(\"big-endian\")))\n"
				   "struct cred { char a; long b; } __randomize_layout;\n"
				   "struct task {\n"
				   "	long info;\n"
				   "	randomized_struct_fields_start\n"
				   "	char on;\n"
				   "	randomized_struct_fields_end\n"
				   "	long thread;\n"
				   "};\n"
				   "struct hidden { char a; long b; } __shuffled;\n"
				   "struct wire { char a; int b; } __order;\n"
				   "struct plain_ms_struct { char a; long b; };\n";
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	assert_refused(record_named(&parsed, "cred"), "randomized-layout");
	assert_refused(record_named(&parsed, "task"), "randomized-layout");
	assert_refused(record_named(&parsed, "hidden"), "randomized-layout");
	/* What comes to nothing here may be overruled, and nothing else. */
	assert_int_equal(pin_of(record_named(&parsed, "cred"), "randomized-layout")->strength, RS_PIN_CONTRACT);
	assert_int_equal(pin_of(record_named(&parsed, "task"), "randomized-layout")->strength, RS_PIN_HARD);
	assert_int_equal(pin_of(record_named(&parsed, "hidden"), "randomized-layout")->strength, RS_PIN_HARD);
	assert_refused(record_named(&parsed, "wire"), "scalar-storage-order");
	assert_not_refused(record_named(&parsed, "plain_ms_struct"));
	parsed_end(&parsed);
}

static void test_macro_braces(void **state)
{
	static const char text[] = "#define BEGIN(n) struct n {\n"
				   "#define END };\n"
				   "#define WHOLE(n) struct n { char a; long b; }\n"
				   "BEGIN(one) char a; long b; END\n"
				   "WHOLE(two);\n"
				   "struct three { char a; long b; END\n"
				   "struct four {\n"
				   "	char a;\n"
				   "#ifdef NO\n"
				   "	int b; };\n"
				   "#else\n"
				   "	long b; };\n"
				   "#endif\n"
				   "struct five { char a; };\n"
				   "#define ENTRY(t) struct { struct t *next, **last; }\n"
				   "struct six { ENTRY(six) link; };\n";
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	assert_refused(record_named(&parsed, "one"), "macro-braces");
	assert_refused(record_named(&parsed, "two"), "macro-braces");
	assert_true(rs_record_is_refused(record_named(&parsed, "three")));
	assert_true(rs_record_is_refused(record_named(&parsed, "four")));
	assert_int_equal(member_at(record_named(&parsed, "four"), "b")->offset_bits, 64);
	assert_int_equal(record_named(&parsed, "one")->n_units, 0);
	assert_not_refused(record_named(&parsed, "five"));
	/* One, two, three, four, five and six, without six's list entry: a use of the macro has no order of its
	 * own. */
	assert_int_equal(parsed.n_records, 6);
	parsed_end(&parsed);
}

static void test_macro_members(void **state)
{
	static const char text[] =
		"#define BITMAP(name, bits) unsigned long name[(bits + 63) / 64]\n"
		"#define ENTRY(type) struct { struct type *next, **prev; }\n"
		"#define FIELDS(X) X(char, red) X(int, mask)\n"
		"#define AS_FIELD(t, n) t n;\n"
		"#define GROUP(name, ...) union { struct { __VA_ARGS__ }; struct { __VA_ARGS__ } name; }\n"
		"#define u32 unsigned\n"
		"#define PASTE(n) int pre_##n\n"
		"struct made {\n"
		"	BITMAP(map, 100);\n"
		"	ENTRY(made) link;\n"
		"	FIELDS(AS_FIELD)\n"
		"	u32 v;\n"
		"	GROUP(hdr, int h1; char h2;);\n"
		"	PASTE(x);\n"
		"};\n";
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	const struct rs_record *record = record_named(&parsed, "made");
	assert_not_refused(record);
	const struct rs_member *map = member_at(record, "map"), *mask = member_at(record, "mask");
	assert_int_equal(record->units[map->unit].origin, RS_UNIT_MACRO);
	assert_int_equal(map->line, 9);
	assert_int_equal(map->column, 9);
	assert_int_equal(record->units[member_at(record, "link")->unit].origin, RS_UNIT_PLAIN);
	assert_int_equal(record->units[mask->unit].origin, RS_UNIT_MACRO);
	assert_int_equal(member_at(record, "red")->unit, mask->unit);
	assert_int_equal(member_at(record, "h1")->unit, member_at(record, "hdr.h2")->unit);
	assert_int_equal(record->units[member_at(record, "pre_x")->unit].origin, RS_UNIT_MACRO);
	assert_int_equal(member_at(record, "hdr.h2")->offset_bits, member_at(record, "h2")->offset_bits);
	parsed_end(&parsed);
}

static void test_included_members(void **state)
{
	static const char fragment[] = "F(char, level)\nF(int, limit)\n";
	static const char outer[] = "char before;\n#include \"inner.def\"\n";
	static const char inner[] = "long in_a;\nchar in_b;\n";
	static const char text[] = "#define F(t, n) t n;\n"
				   "struct opts {\n"
				   "	char ver;\n"
				   "#include \"frag.def\"\n"
				   "	char dirty;\n"
				   "	long stamp;\n"
				   "};\n"
				   "struct nested {\n"
				   "#include \"frag.def\"\n"
				   "	char mid;\n"
				   "#include \"outer.def\"\n"
				   "	char end;\n"
				   "};\n";
	struct parsed parsed;

	(void)state;
	scratch_write("frag.def", fragment, strlen(fragment));
	scratch_write("outer.def", outer, strlen(outer));
	scratch_write("inner.def", inner, strlen(inner));
	parse_text(&parsed, text);
	const struct rs_record *record = record_named(&parsed, "opts");
	assert_not_refused(record);
	assert_int_equal(record->n_units, 4);
	assert_int_equal(record->units[1].origin, RS_UNIT_INCLUDE);
	assert_int_equal(record->units[1].n_members, 2);
	assert_int_equal(member_at(record, "limit")->unit, 1);
	assert_int_equal(member_at(record, "limit")->line, 4);
	assert_int_equal(member_at(record, "stamp")->unit, 3);
	record = record_named(&parsed, "nested");
	assert_not_refused(record);
	assert_int_equal(record->n_units, 4);
	assert_int_equal(member_at(record, "limit")->unit, 0);
	assert_int_equal(member_at(record, "before")->unit, 2);
	assert_int_equal(member_at(record, "in_b")->unit, 2);
	assert_int_equal(member_at(record, "in_b")->line, 11);
	assert_int_equal(record->units[2].origin, RS_UNIT_INCLUDE);
	parsed_end(&parsed);
}

static void test_barriers(void **state)
{
	static const char text[] = "#define NOTHING(x)\n"
				   "struct walls {\n"
				   "	char a;\n"
				   "	_Static_assert(sizeof(int) == 4, \"\");\n"
				   "	char b;\n"
				   "	struct inner { int q; };\n"
				   "	char c;\n"
				   "	NOTHING(1);\n"
				   "	char d;\n"
				   "	NOTHING(2)\n"
				   "	char e;\n"
				   "	char f;\n"
				   "#define LIMIT 3\n"
				   "	char g[LIMIT];\n"
				   "	NOTHING(3)\n"
				   "};\n";
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	const struct rs_record *record = record_named(&parsed, "walls");
	assert_not_refused(record);
	assert_int_equal(record->n_members, 7);
	assert_int_equal(record->n_units, 7);
	for (size_t i = 1; i < record->n_units - 1; i++)
		assert_true(record->units[i].region > record->units[i - 1].region);
	/* the macro goes with f, and g needs it */
	assert_int_equal(record->n_constraints, 1);
	assert_int_equal(record->constraints[0].kind, RS_KEEP_BEFORE);
	assert_int_equal(record->constraints[0].unit, 5);
	assert_int_equal(record->constraints[0].other, 6);
	assert_non_null(pin_of(record, "barrier"));
	for (size_t i = 0; i < record->n_units; i++) {
		assert_int_equal(record->gaps[i].span.end, record->units[i].span.start);
		assert_int_equal(record->gaps[i + 1].span.start, record->units[i].span.end);
	}
	assert_int_equal(record->gaps[0].span.start, record->body.start);
	assert_int_equal(record->gaps[record->n_units].span.end, record->body.end);
	parsed_end(&parsed);
}

static void test_conditionals(void **state)
{
	static const char text[] = "struct cond {\n"
				   "	void *table;\n"
				   "#ifdef NO\n"
				   "	short narrow;\n"
				   "#endif\n"
				   "	char flags;\n"
				   "#if 1\n"
				   "	long one;\n"
				   "	char two;\n"
				   "#else\n"
				   "	int one;\n"
				   "#endif\n"
				   "	unsigned x : 3;\n"
				   "#ifdef NO\n"
				   "	unsigned y : 4;\n"
				   "#endif\n"
				   "	unsigned z : 5;\n"
				   "#if 1\n"
				   "	_Static_assert(1, \"\");\n"
				   "#endif\n"
				   "	char last;\n"
				   "};\n";
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	const struct rs_record *record = record_named(&parsed, "cond");
	assert_not_refused(record);
	assert_int_equal(record->units[1].origin, RS_UNIT_CONDITIONAL);
	assert_int_equal(record->units[1].n_members, 0);
	assert_int_equal(record->units[1].region, record->units[0].region);
	assert_int_equal(record->units[3].origin, RS_UNIT_CONDITIONAL);
	assert_int_equal(record->units[3].n_members, 2);
	assert_int_equal(member_at(record, "two")->unit, 3);
	assert_int_equal(member_at(record, "x")->unit, member_at(record, "z")->unit);
	assert_true(record->units[member_at(record, "last")->unit].region >
		    record->units[member_at(record, "z")->unit].region);
	parsed_end(&parsed);
}

static void test_names(void **state)
{
	static const char other[] = "struct same { long z; char a; };\n";
	static const char text[] = "#include \"other.h\"\n"
				   "typedef struct { char a; long b; } bmp_t, *bmp_p;\n"
				   "struct forward;\n"
				   "typedef struct tagged { char a; struct forward *f; } tagged_t;\n"
				   "struct { char a; } variable;\n"
				   "struct outer {\n"
				   "	char kind;\n"
				   "	struct { short w; struct { int q; } in; } size, *last;\n"
				   "	union { struct { int lo; } part; struct { int anonymous; }; };\n"
				   "	struct inner { int n; } nested;\n"
				   "};\n"
				   "union u { struct { char s; } in_union; };\n"
				   "struct tagged *function(struct outer *);\n";
	static const char *const expected[] = { "bmp_t",       "tagged",      "t.h:5",
						"outer",       "outer::size", "outer::size::in",
						"outer::part", "inner",       "u::in_union" };
	struct parsed parsed;
	const char *const *names;
	size_t count;

	(void)state;
	scratch_write("other.h", other, strlen(other));
	parse_text(&parsed, text);
	assert_int_equal(parsed.n_records, RS_COUNT_OF(expected));
	for (size_t i = 0; i < RS_COUNT_OF(expected); i++)
		assert_string_equal(parsed.records[i]->name, expected[i]);
	assert_true(record_named(&parsed, "bmp_t")->is_typedef);
	assert_false(record_named(&parsed, "tagged")->is_typedef);
	assert_null(rs_records_names(parsed.tu, parsed.arena, scratch_path("t.h"), &names, &count));
	assert_int_equal(count, RS_COUNT_OF(expected));
	assert_string_equal(names[3], "outer");
	struct rs_record_query query = { .file = NULL, .name = "same" };
	assert_null(rs_records_find(parsed.tu, parsed.arena, &query, &parsed.records, &parsed.n_records));
	assert_int_equal(parsed.n_records, 1);
	assert_string_equal(rs_path_basename(parsed.records[0]->source->realpath), "other.h");
	query.name = "none";
	assert_null(rs_records_find(parsed.tu, parsed.arena, &query, &parsed.records, &parsed.n_records));
	assert_int_equal(parsed.n_records, 0);
	query = (struct rs_record_query) { .file = "/no/such.h" };
	assert_null(rs_records_find(parsed.tu, parsed.arena, &query, &parsed.records, &parsed.n_records));
	assert_int_equal(parsed.n_records, 0);
	parsed_end(&parsed);
}

static void test_errors(void **state)
{
	static const char text[] = "struct bad { nothing_t a; int b; };\n";
	struct parsed parsed;

	(void)state;
	scratch_write("t.h", text, strlen(text));
	parse_with(&parsed, "t.h", "bad", NULL, 0);
	assert_non_null(parsed.error);
	assert_int_equal(parsed.error->code, RS_ERROR_PARSE);
	assert_non_null(strstr(parsed.error->message, "nothing_t"));
	parsed_end(&parsed);
}

static void test_pins(void **state)
{
	static const char text[] = "struct blob { int n; char data[]; };\n"
				   "struct pins {\n"
				   "	char __cacheline_group_begin__rx[0];\n"
				   "	enum kind { K_ONE, K_MANY = 4 } kind;\n"
				   "	char names[K_MANY];\n"
				   "	struct part { int x; } part;\n"
				   "	struct part *parts;\n"
				   "	char line[0] __attribute__((aligned(64)));\n"
				   "	struct { } __attribute__((aligned(64)));\n"
				   "	int n;\n"
				   "#define N_VALUE 1\n"
				   "	int free;\n"
				   "	struct blob tail;\n"
				   "};\n"
				   "struct old { long id; int words[1]; };\n";
	struct parsed parsed;

	(void)state;
	parse_text(&parsed, text);
	const struct rs_record *record = record_named(&parsed, "pins");
	assert_not_refused(record);
	assert_string_equal(record->units[member_at(record, "kind")->unit].name, "kind");
	assert_int_equal(record->units[0].region, 0);
	assert_int_equal(record->units[1].region, 1);
	assert_int_equal(record->units[4].region, 1);
	assert_int_equal(record->units[5].region, 2);
	assert_int_equal(record->units[6].region, 3);
	assert_int_equal(record->units[7].region, 4);
	assert_int_equal(record->units[9].region, 4);
	assert_int_equal(record->n_constraints, 3);
	assert_int_equal(record->constraints[0].kind, RS_KEEP_LAST);
	assert_non_null(pin_of(record, "type-defined-inside"));
	assert_non_null(pin_of(record, "marker"));
	assert_int_equal(pin_of(record, "trailing-array")->line, 13);
	assert_non_null(pin_of(record_named(&parsed, "old"), "trailing-array"));
	parsed_end(&parsed);
}

/* The text of a record with its units in reverse must have the same members and the computed offsets. */
static void test_same_members(void **state)
{
	static const char text[] =
		"struct s { char a; struct { int x; } in; int b : 3; long c; union { int u; }; };\n";
	static const char swapped[] =
		"\n\nstruct s { union { int u; }; long c; int b : 3; struct { int x; } in; char a; };\n";
	static const char changed[] =
		"struct s { char a; struct { long x; } in; int b : 3; long c; union { int u; }; };\n";
	struct parsed one, two, three;
	const char *difference = NULL;

	(void)state;
	parse_text(&one, text);
	parse_text(&two, swapped);
	parse_text(&three, changed);
	assert_true(rs_record_same_members(one.arena, one.records[0], two.records[0], &difference));
	assert_false(rs_record_same_members(one.arena, one.records[0], three.records[0], &difference));
	assert_non_null(difference);
	parsed_end(&one);
	parsed_end(&two);
	parsed_end(&three);
}

static void test_limits(void **state)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct parsed parsed;

	(void)state;
	rs_builder_appends(&text, "struct d0 { int x; };\n");
	for (int i = 1; i < 12; i++)
		rs_builder_printf(&text, "struct d%d { struct d%d d; };\n", i, i - 1);
	rs_builder_appends(&text, "struct w0 { char a[1], b; };\n");
	for (int i = 1; i < 9; i++)
		rs_builder_printf(&text, "struct w%d { struct w%d a, b, c, d, e, f, g, h; };\n", i, i - 1);
	parse_text(&parsed, text.data);
	assert_int_equal(record_named(&parsed, "d11")->n_members, 9);
	assert_true(record_named(&parsed, "w8")->n_members <= 20000 + 8);
	assert_not_refused(record_named(&parsed, "w8"));
	parsed_end(&parsed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_member_kinds),  cmocka_unit_test(test_bitfields),
		cmocka_unit_test(test_alignment),     cmocka_unit_test(test_packed),
		cmocka_unit_test(test_randomized),    cmocka_unit_test(test_macro_braces),
		cmocka_unit_test(test_macro_members), cmocka_unit_test(test_included_members),
		cmocka_unit_test(test_barriers),      cmocka_unit_test(test_conditionals),
		cmocka_unit_test(test_names),         cmocka_unit_test(test_errors),
		cmocka_unit_test(test_pins),          cmocka_unit_test(test_same_members),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests_name("records", tests, scratch_make, scratch_remove);
}
