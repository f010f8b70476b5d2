/*
 * Layout arithmetic, holes, the comparison of members and the pins that the record itself shows, on records
 * made by hand. Facts are those of the System V ABI for x86-64.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/layout.h"
#include "record/pins.h"

enum { MAX = 32 };

struct fixture {
	struct rs_arena *arena;
	struct rs_source *source;
	struct rs_member members[MAX];
	struct rs_unit units[MAX];
	struct rs_gap gaps[MAX + 1];
	struct rs_record record;
};

static struct rs_member scalar(const char *name, uint32_t size, uint32_t align)
{
	return (struct rs_member) { .name = name,
				    .path = name,
				    .type = "scalar",
				    .declaration = name,
				    .parent = RS_NONE,
				    .size_bits = (uint64_t)size * 8,
				    .type_size_bytes = size,
				    .align_bytes = align };
}

static struct rs_member bits(const char *name, uint32_t type_size, uint64_t width)
{
	struct rs_member member = scalar(name, type_size, type_size);

	member.is_bitfield = true;
	member.size_bits = width;
	return member;
}

static struct rs_member array(const char *name, uint64_t count, uint32_t align)
{
	struct rs_member member = scalar(name, (uint32_t)count * align, align);

	member.is_array = true;
	member.array_count = count;
	return member;
}

/* Each declaration up to its semicolon is a unit with one top-level member. */
static void cut(struct fixture *fixture, const char *text)
{
	struct rs_record *record = &fixture->record;
	size_t at = 0, member = 0;

	for (size_t i = 0; i < record->n_units; i++) {
		const char *end = strchr(text + at, ';');

		assert_non_null(end);
		fixture->gaps[i].span = (struct rs_span) { at, at };
		fixture->units[i].span.start = at + strspn(text + at, " \n");
		fixture->units[i].span.end = (size_t)(end - text) + 1;
		fixture->units[i].declaration = fixture->units[i].span;
		fixture->units[i].first_member = member;
		fixture->units[i].n_members = 1;
		fixture->units[i].name = fixture->members[member].path;
		at = fixture->units[i].span.end;
		size_t next = rs_record_next_sibling(record, member);
		for (; member < next; member++)
			fixture->members[member].unit = i;
	}
}

static size_t *identity(struct fixture *fixture)
{
	size_t *order = rs_arena_array(fixture->arena, size_t, fixture->record.n_units);

	for (size_t i = 0; i < fixture->record.n_units; i++)
		order[i] = i;
	return order;
}

static void setup(struct fixture *fixture, const struct rs_member *members, size_t count, const char *text)
{
	*fixture = (struct fixture) { .arena = rs_arena_create() };
	struct rs_record *record = &fixture->record;

	memcpy(fixture->members, members, count * sizeof(*members));
	record->name = "t";
	record->members = fixture->members;
	record->n_members = count;
	record->align_bytes = 1;
	for (size_t i = 0; i < count; i++) {
		if (fixture->members[i].parent == RS_NONE) {
			record->n_units++;
			if (fixture->members[i].align_bytes > record->align_bytes)
				record->align_bytes = fixture->members[i].align_bytes;
		}
	}
	record->units = fixture->units;
	record->gaps = fixture->gaps;
	if (!text) {
		char *blank = (char *)rs_arena_alloc(fixture->arena, record->n_units + 1);

		memset(blank, ';', record->n_units);
		text = blank;
	}
	fixture->source = rs_source_create(fixture->arena, "t.h", "/t.h", text, strlen(text));
	record->source = fixture->source;
	cut(fixture, text);
	uint64_t offsets[MAX];
	rs_layout_compute(record, identity(fixture), offsets, &record->size_bytes);
	for (size_t i = 0; i < count; i++)
		fixture->members[i].offset_bits = offsets[i];
}

static void teardown(struct fixture *fixture)
{
	rs_arena_destroy(fixture->arena);
}

static void assert_offsets(const struct rs_member *members, size_t count, uint32_t record_align,
			   const uint64_t *expected, uint64_t size)
{
	struct fixture fixture;
	uint64_t offsets[MAX], size_bytes;

	setup(&fixture, members, count, NULL);
	if (record_align)
		fixture.record.align_bytes = record_align;
	rs_layout_compute(&fixture.record, identity(&fixture), offsets, &size_bytes);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(offsets[i], expected[i]);
	assert_int_equal(size_bytes, size);
	teardown(&fixture);
}

static void test_scalars(void **state)
{
	(void)state;
	/* struct { char a; long b; short c; int d; char e; } */
	const struct rs_member members[] = { scalar("a", 1, 1), scalar("b", 8, 8), scalar("c", 2, 2),
					     scalar("d", 4, 4), scalar("e", 1, 1) };
	assert_offsets(members, 5, 0, (const uint64_t[]) { 0, 64, 128, 160, 192 }, 32);
	/* the same with aligned(64) on the struct */
	assert_offsets(members, 5, 64, (const uint64_t[]) { 0, 64, 128, 160, 192 }, 64);
	/* struct {} */
	assert_offsets(members, 0, 0, NULL, 0);
}

static void test_zero_size(void **state)
{
	(void)state;
	/* struct { char a; struct {} e; long z[0]; char b; long f[]; } */
	struct rs_member flexible = array("f", 0, 8);
	flexible.is_flexible = true;
	const struct rs_member members[] = { scalar("a", 1, 1), scalar("e", 0, 1), array("z", 0, 8),
					     scalar("b", 1, 1), flexible };
	assert_offsets(members, 5, 0, (const uint64_t[]) { 0, 8, 64, 64, 128 }, 16);
}

static void test_bitfields(void **state)
{
	(void)state;
	/* struct { int a:3; int b:30; char c:5; int :0; int d:1; char e; int f:9; } */
	const struct rs_member mixed[] = { bits("a", 4, 3), bits("b", 4, 30),  bits("c", 1, 5), bits("", 4, 0),
					   bits("d", 4, 1), scalar("e", 1, 1), bits("f", 4, 9) };
	assert_offsets(mixed, 7, 0, (const uint64_t[]) { 0, 32, 64, 96, 96, 104, 112 }, 16);
	/* struct { char a; long b:40; long c:30; } */
	const struct rs_member wide[] = { scalar("a", 1, 1), bits("b", 8, 40), bits("c", 8, 30) };
	assert_offsets(wide, 3, 0, (const uint64_t[]) { 0, 8, 64 }, 16);
	/* struct { _Bool a:1; _Bool b:1; short c; _Bool d:1; } */
	const struct rs_member flags[] = { bits("a", 1, 1), bits("b", 1, 1), scalar("c", 2, 2),
					   bits("d", 1, 1) };
	assert_offsets(flags, 4, 0, (const uint64_t[]) { 0, 1, 16, 32 }, 6);
}

static void test_bitfield_attributes(void **state)
{
	(void)state;
	/* struct { int a:3; int b:3 aligned(2); int c:3 aligned(8); } */
	struct rs_member members[] = { bits("a", 4, 3), bits("b", 4, 3), bits("c", 4, 3) };
	members[1].requested_align_bytes = 2;
	members[2].requested_align_bytes = 8;
	assert_offsets(members, 3, 8, (const uint64_t[]) { 0, 16, 64 }, 16);
	/* on 32-bit x86: struct { int a:20; long long b:40; char c; long long :0; char d; } */
	struct rs_member ia32[] = { bits("a", 4, 20), bits("b", 8, 40), scalar("c", 1, 1), bits("", 8, 0),
				    scalar("d", 1, 1) };
	ia32[1].align_bytes = ia32[3].align_bytes = 4;
	assert_offsets(ia32, 5, 4, (const uint64_t[]) { 0, 20, 64, 96, 96 }, 16);
}

static void test_order(void **state)
{
	(void)state;
	struct rs_member members[] = { scalar("a", 1, 1), scalar("s", 16, 8), scalar("s.x", 8, 8),
				       scalar("s.y", 4, 4), scalar("b", 1, 1) };
	members[1].n_inside = 2;
	members[1].is_aggregate = true;
	members[2].parent = members[3].parent = 1;
	members[3].offset_bits = 64;
	struct fixture fixture;
	uint64_t offsets[MAX], size;

	setup(&fixture, members, 5, NULL);
	/* setup() has laid it out with the nested offsets relative to 0 */
	assert_int_equal(fixture.members[1].offset_bits, 64);
	assert_int_equal(fixture.members[3].offset_bits, 128);
	rs_layout_compute(&fixture.record, (const size_t[]) { 1, 0, 2 }, offsets, &size);
	assert_int_equal(size, 24);
	assert_int_equal(offsets[0], 128);
	assert_int_equal(offsets[1], 0);
	assert_int_equal(offsets[3], 64);
	assert_int_equal(offsets[4], 136);
	rs_layout_compute(&fixture.record, (const size_t[]) { 1, 0, 2 }, NULL, &size);
	assert_int_equal(size, 24);
	assert_int_equal(rs_record_find_member(&fixture.record, "s.y"), 3);
	assert_true(rs_record_find_member(&fixture.record, "s.z") == RS_NONE);
	assert_true(rs_record_find_member(&fixture.record, "") == RS_NONE);
	teardown(&fixture);
}

static void test_agrees(void **state)
{
	(void)state;
	const struct rs_member members[] = { scalar("a", 1, 1), scalar("b", 8, 8) };
	struct fixture fixture;
	size_t member = 7;

	setup(&fixture, members, 2, NULL);
	assert_true(rs_layout_agrees(&fixture.record, &member));
	assert_int_equal(member, 7);
	fixture.record.size_bytes = 24;
	assert_false(rs_layout_agrees(&fixture.record, &member));
	assert_true(member == RS_NONE);
	fixture.members[1].offset_bits = 8;
	assert_false(rs_layout_agrees(&fixture.record, &member));
	assert_int_equal(member, 1);
	struct rs_pin_list pins = { .arena = fixture.arena };
	rs_pins_find(&pins, &fixture.record);
	assert_int_equal(pins.n_pins, 1);
	assert_string_equal(pins.pins[0].code, "layout-unknown");
	assert_true(pins.pins[0].refuses);
	assert_string_equal(rs_pin_strength_name(pins.pins[0].strength), "hard");
	teardown(&fixture);
}

static void test_holes(void **state)
{
	(void)state;
	const struct rs_member members[] = { scalar("a", 1, 1), scalar("b", 8, 8), bits("c", 4, 3),
					     scalar("d", 2, 2), scalar("e", 1, 1) };
	struct fixture fixture;
	uint64_t offsets[MAX], size;
	size_t count;

	setup(&fixture, members, 5, NULL);
	rs_layout_compute(&fixture.record, identity(&fixture), offsets, &size);
	struct rs_hole *holes = rs_layout_holes(fixture.arena, &fixture.record, offsets, size, &count);
	/* a:0 b:8 c:128+3 bits d:18 e:20, size 24 */
	const struct rs_hole expected[] = { { 8, 56, 0 }, { 131, 5, 2 }, { 136, 8, 2 }, { 168, 24, 4 } };
	assert_int_equal(count, 4);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(holes[i].offset_bits, expected[i].offset_bits);
		assert_int_equal(holes[i].size_bits, expected[i].size_bits);
		assert_int_equal(holes[i].after_member, expected[i].after_member);
	}
	teardown(&fixture);
}

static void test_same_members(void **state)
{
	(void)state;
	struct rs_member members[] = { scalar("a", 1, 1), scalar("b", 8, 8), bits("", 4, 3) };
	struct rs_member swapped[] = { members[2], members[1], members[0] };
	struct fixture a, b;
	const char *difference = NULL;

	setup(&a, members, 3, NULL);
	setup(&b, swapped, 3, NULL);
	assert_true(rs_record_same_members(a.arena, &a.record, &b.record, &difference));
	assert_null(difference);
	b.members[0].size_bits = 4;
	assert_false(rs_record_same_members(a.arena, &a.record, &b.record, &difference));
	assert_non_null(strstr(difference, "3 bits"));
	b.members[0].size_bits = 3;
	b.members[2].path = "c";
	assert_false(rs_record_same_members(a.arena, &a.record, &b.record, &difference));
	assert_string_equal(difference, "member a is missing");
	b.members[2].path = "a";
	b.members[2].requested_align_bytes = 4;
	assert_false(rs_record_same_members(a.arena, &a.record, &b.record, &difference));
	b.members[2].requested_align_bytes = 0;
	b.record.n_members = 2;
	assert_false(rs_record_same_members(a.arena, &b.record, &a.record, &difference));
	assert_string_equal(difference, "member a is new");
	b.record.n_members = 3;
	b.record.align_bytes = 16;
	assert_false(rs_record_same_members(a.arena, &a.record, &b.record, &difference));
	teardown(&a);
	teardown(&b);
}

static bool has_pin(const struct rs_pin_list *pins, const char *code, size_t unit)
{
	for (size_t i = 0; i < pins->n_pins; i++)
		if (strcmp(pins->pins[i].code, code) == 0 && pins->pins[i].unit == unit)
			return true;
	return false;
}

static bool has_constraint(const struct rs_pin_list *pins, enum rs_constraint_kind kind, size_t unit,
			   size_t other)
{
	for (size_t i = 0; i < pins->n_constraints; i++)
		if (pins->constraints[i].kind == kind && pins->constraints[i].unit == unit &&
		    pins->constraints[i].other == other)
			return true;
	return false;
}

static struct rs_pin_list find_pins(struct fixture *fixture)
{
	struct rs_pin_list pins = { .arena = fixture->arena };

	rs_pins_assign_regions(fixture->source, fixture->members, fixture->record.n_members, fixture->gaps,
			       fixture->units, fixture->record.n_units);
	rs_pins_find(&pins, &fixture->record);
	return pins;
}

static void test_open_ends(void **state)
{
	(void)state;
	struct rs_member members[] = { scalar("n", 4, 4), array("tail", 0, 8) };
	struct fixture fixture;

	members[1].is_flexible = true;
	setup(&fixture, members, 2, "int n; long tail[];");
	struct rs_pin_list pins = find_pins(&fixture);
	assert_true(has_pin(&pins, "flexible-array-last", 1));
	assert_true(has_constraint(&pins, RS_KEEP_LAST, 1, RS_NONE));
	teardown(&fixture);

	for (uint64_t count = 0; count <= 2; count++) {
		members[1] = array("tail", count, 8);
		setup(&fixture, members, 2, "int n; long tail[N];");
		pins = find_pins(&fixture);
		assert_int_equal(has_pin(&pins, "trailing-array", 1), count < 2);
		assert_int_equal(has_constraint(&pins, RS_KEEP_LAST, 1, RS_NONE), count < 2);
		teardown(&fixture);
	}
	/* a last member that ends in a flexible array */
	struct rs_member nested[] = { scalar("n", 4, 4), scalar("m", 4, 4), array("m.data", 0, 1) };
	nested[1].is_aggregate = nested[1].is_flexible = nested[2].is_flexible = true;
	nested[1].n_inside = 1;
	nested[2].parent = 1;
	setup(&fixture, nested, 3, "int n; struct blob m;");
	pins = find_pins(&fixture);
	assert_true(has_pin(&pins, "trailing-array", 1));
	teardown(&fixture);
}

static void test_regions(void **state)
{
	(void)state;
	struct rs_member members[] = { scalar("a", 4, 4), array("__cacheline_group_begin__tx", 0, 1),
				       scalar("b", 4, 4), scalar("c", 4, 4),
				       scalar("d", 4, 4), array("mark", 0, 64),
				       scalar("e", 4, 4) };
	struct fixture fixture;

	setup(&fixture, members, 7,
	      "int a; __cacheline_group_begin(tx); int b; int c; int d; char mark[0] __aligned(64); int e;");
	fixture.gaps[4].is_barrier = true;
	struct rs_pin_list pins = find_pins(&fixture);
	const size_t expected[] = { 0, 1, 2, 2, 3, 4, 5 };
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(fixture.units[i].region, expected[i]);
	assert_true(has_pin(&pins, "marker", 1));
	assert_true(has_pin(&pins, "marker", 5));
	assert_true(has_pin(&pins, "barrier", 4));
	assert_false(has_pin(&pins, "marker", 0));
	teardown(&fixture);
}

static void test_marker_words(void **state)
{
	(void)state;
	/* a comment does not make a marker, an empty struct that only aligns does */
	struct rs_member members[] = { scalar("a", 4, 4), scalar("pad", 0, 64), scalar("empty", 0, 1),
				       scalar("b", 4, 4), scalar("c", 4, 4) };
	struct fixture fixture;

	setup(&fixture, members, 5,
	      "int a; CACHELINE_PADDING(pad); struct {} empty; int /* RTE_MARKER */ b; int c;");
	struct rs_pin_list pins = find_pins(&fixture);
	const size_t expected[] = { 0, 1, 2, 2, 2 };
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(fixture.units[i].region, expected[i]);
	assert_int_equal(pins.n_pins, 1);
	teardown(&fixture);
}

static void test_defined_inside(void **state)
{
	(void)state;
	struct rs_member members[] = { scalar("kind", 4, 4), scalar("a", 4, 4), scalar("p", 8, 8),
				       scalar("v", 4, 4), scalar("plain", 8, 8) };
	struct fixture fixture;

	setup(&fixture, members, 5,
	      "enum kind { K_ONE = sizeof(int), K_TWO } kind\\; struct __attribute__((aligned(4))) tag { int "
	      "x\\; } a;"
	      " struct tag *p; char v[K_TWO]; char *plain; /* struct tag K_ONE */");
	/* the test's cutter knows no braces: put the borders right */
	const char *text = fixture.source->text;
	const char *const ends[] = { "kind\\;", " a;", "*p;", "K_TWO];", "plain;" };
	size_t start = 0;
	for (size_t i = 0; i < 5; i++) {
		size_t end = (size_t)(strstr(text + start, ends[i]) - text) + strlen(ends[i]);

		fixture.units[i].declaration = fixture.units[i].span = (struct rs_span) { start, end };
		start = end;
	}
	struct rs_pin_list pins = find_pins(&fixture);
	assert_true(has_constraint(&pins, RS_KEEP_BEFORE, 0, 3));
	assert_true(has_constraint(&pins, RS_KEEP_BEFORE, 1, 2));
	assert_int_equal(pins.n_constraints, 2);
	assert_true(has_pin(&pins, "type-defined-inside", 0));
	assert_true(has_pin(&pins, "type-defined-inside", 1));
	teardown(&fixture);
}

static void test_counted_by(void **state)
{
	(void)state;
	struct rs_member members[] = { scalar("x", 4, 4), scalar("n", 4, 4), scalar("items", 8, 8) };
	struct fixture fixture;

	setup(&fixture, members, 3, "int x; int n; int *items __counted_by(n);");
	struct rs_pin_list pins = find_pins(&fixture);
	assert_int_equal(pins.n_constraints, 1);
	assert_true(has_constraint(&pins, RS_KEEP_BEFORE, 1, 2));
	assert_true(has_pin(&pins, "counted-by", 2));
	teardown(&fixture);
	setup(&fixture, members, 3, "int x; int n; int *items __attribute__((counted_by(y)));");
	pins = find_pins(&fixture);
	assert_int_equal(pins.n_constraints, 0);
	teardown(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalars),      cmocka_unit_test(test_zero_size),
		cmocka_unit_test(test_bitfields),    cmocka_unit_test(test_bitfield_attributes),
		cmocka_unit_test(test_order),        cmocka_unit_test(test_agrees),
		cmocka_unit_test(test_holes),        cmocka_unit_test(test_same_members),
		cmocka_unit_test(test_open_ends),    cmocka_unit_test(test_regions),
		cmocka_unit_test(test_marker_words), cmocka_unit_test(test_defined_inside),
		cmocka_unit_test(test_counted_by),
	};
	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
