/*
 * Property: for random structs with members of every kind, the layout arithmetic gives libclang's offsets, in
 * the order as it stands and, parsed again with the units in random order, in that one too.
 */
#include "records_fixture.h"

#include "draw.h"
#include "record/pins.h"

enum { N_STRUCTS = 2000, MAX_UNITS = 64 };

static const char prelude[] = "enum e { E_ONE, E_TWO };\n"
			      "struct empty { };\n"
			      "struct one { char c; };\n"
			      "struct mixed { int a; short b; char c : 3; };\n"
			      "union either { char c; long long l; };\n"
			      "typedef int high_int __attribute__((aligned(16)));\n"
			      "typedef int low_int __attribute__((aligned(1)));\n"
			      "#define HIGH __attribute__((aligned(1 << 4)))\n";

static const char *const types[] = {
	"char",         "short",        "int",          "long",     "long long", "_Bool",
	"float",        "double",       "long double",  "void *",   "enum e",    "struct one",
	"struct mixed", "struct empty", "union either", "high_int", "low_int",   "_Complex float",
	"const int",    "struct one *", "_Atomic int",
};

struct bit_type {
	const char *text;
	unsigned most; /* bits, on any target */
};

static const struct bit_type bit_types[] = {
	{ "_Bool", 1 },   { "char", 8 },          { "unsigned char", 8 }, { "short", 16 },
	{ "int", 32 },    { "unsigned int", 32 }, { "long", 32 },         { "long long", 64 },
	{ "enum e", 32 }, { "low_int", 32 },
};

static void add_attribute(struct rs_builder *text)
{
	if (draw(10) == 0)
		rs_builder_printf(text, " __attribute__((aligned(%u)))", 1u << draw(6));
	else if (draw(60) == 0)
		rs_builder_appends(text, " HIGH");
}

static void add_bitfield(struct rs_builder *text, unsigned number)
{
	const struct bit_type *type = &bit_types[draw(RS_COUNT_OF(bit_types))];
	unsigned kind = draw(10), width = 1 + draw(type->most);

	if (kind == 0)
		rs_builder_printf(text, "\t%s : 0", type->text);
	else if (kind == 1)
		rs_builder_printf(text, "\t%s : %u", type->text, width);
	else
		rs_builder_printf(text, "\t%s m%u : %u", type->text, number, width);
	add_attribute(text);
	rs_builder_appends(text, ";\n");
}

static void add_plain(struct rs_builder *text, unsigned number)
{
	const char *type = types[draw(RS_COUNT_OF(types))];

	switch (draw(8)) {
	case 0:
		rs_builder_printf(text, "\t%s m%u[%u]", draw(2) ? "char" : "short", number, draw(6));
		break;
	case 1:
		rs_builder_printf(text, "\t%s m%u, *p%u, n%u", draw(2) ? "char" : "int", number, number,
				  number);
		break;
	case 2:
		rs_builder_printf(text, "\tunion { char u%u; %s m%u; }", number, type, number);
		break;
	case 3:
		rs_builder_printf(text, "\tstruct { char s%u; int b%u : 7; %s m%u; } in%u", number, number,
				  type, number, number);
		break;
	case 4:
		rs_builder_printf(text, "\tint (*m%u)(%s)", number, type);
		break;
	default:
		rs_builder_printf(text, "\t%s m%u", type, number);
	}
	add_attribute(text);
	rs_builder_appends(text, ";\n");
}

static char *random_text(struct rs_arena *arena)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_appends(&text, prelude);
	for (unsigned i = 0; i < N_STRUCTS; i++) {
		unsigned count = 1 + draw(12), bit_share = draw(4);

		rs_builder_printf(&text, "struct t%u {\n", i);
		for (unsigned m = 0; m < count; m++) {
			if (draw(4) < bit_share)
				add_bitfield(&text, m);
			else
				add_plain(&text, m);
		}
		rs_builder_printf(&text, "}%s;\n", draw(10) ? "" : " __attribute__((aligned(32)))");
	}
	return rs_arena_strndup(arena, text.data, text.length);
}

static void shuffle(size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	for (size_t i = count; i > 1; i--) {
		size_t j = draw((unsigned)i), kept = order[i - 1];

		order[i - 1] = order[j];
		order[j] = kept;
	}
}

static bool is_random(const struct rs_record *record)
{
	return record->name[0] == 't' && record->name[1] >= '0' && record->name[1] <= '9' &&
	       !strchr(record->name, ':');
}

static void append_permuted(struct rs_builder *text, const struct rs_record *record, const size_t *order)
{
	const char *source = record->source->text;

	rs_builder_append(text, source + record->span.start, record->body.start - record->span.start);
	for (size_t i = 0; i < record->n_units; i++) {
		struct rs_span span = record->units[order[i]].span;

		rs_builder_appends(text, "\n\t");
		rs_builder_append(text, source + span.start, span.end - span.start);
	}
	const char *semicolon = strchr(source + record->body.end, ';');
	rs_builder_append(text, source + record->body.end,
			  (size_t)(semicolon - (source + record->body.end)) + 1);
	rs_builder_appendc(text, '\n');
}

/* The members of the permuted record follow those of the original unit by unit. */
static void assert_offsets(const struct rs_record *original, const struct rs_record *permuted,
			   const size_t *order)
{
	uint64_t *offsets = (uint64_t *)rs_alloc((original->n_members + 1) * sizeof(*offsets)), size;
	size_t at = 0;

	rs_layout_compute(original, order, offsets, &size);
	for (size_t u = 0; u < original->n_units; u++) {
		const struct rs_unit *unit = &original->units[order[u]];
		size_t member = unit->first_member;

		for (size_t i = 0; i < unit->n_members; i++) {
			size_t end = rs_record_next_sibling(original, member);

			for (; member < end; member++, at++) {
				assert_string_equal(original->members[member].declaration,
						    permuted->members[at].declaration);
				if (offsets[member] != permuted->members[at].offset_bits)
					fail_msg("%s: '%s' at bit %llu, not %llu", original->name,
						 original->members[member].declaration,
						 (unsigned long long)offsets[member],
						 (unsigned long long)permuted->members[at].offset_bits);
			}
		}
	}
	assert_int_equal(at, permuted->n_members);
	assert_int_equal(size, permuted->size_bytes);
	free(offsets);
}

static void check_agreement(const struct parsed *parsed)
{
	size_t member;

	for (size_t i = 0; i < parsed->n_records; i++) {
		assert_not_refused(parsed->records[i]);
		assert_true(rs_layout_agrees(parsed->records[i], &member));
	}
}

static void check_target(const char *flag)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const char *const flags[] = { flag, "-std=gnu17" };
	struct parsed original, permuted;
	const char *difference;

	random_state = 20260101;
	struct rs_arena *arena = rs_arena_create();
	const char *first = random_text(arena);
	scratch_write("t.h", first, strlen(first));
	parse_with(&original, "t.h", NULL, flags, 2);
	assert_null(original.error);
	check_agreement(&original);
	rs_builder_appends(&text, prelude);
	size_t(*orders)[MAX_UNITS] =
		(size_t(*)[MAX_UNITS])rs_arena_alloc(arena, original.n_records * sizeof(*orders));
	for (size_t i = 0; i < original.n_records; i++)
		if (is_random(original.records[i])) {
			assert_true(original.records[i]->n_units <= MAX_UNITS);
			shuffle(orders[i], original.records[i]->n_units);
			append_permuted(&text, original.records[i], orders[i]);
		}
	scratch_write("p.h", text.data, text.length);
	parse_with(&permuted, "p.h", NULL, flags, 2);
	assert_null(permuted.error);
	size_t compared = 0;
	for (size_t i = 0, j = 0; i < original.n_records; i++) {
		if (!is_random(original.records[i]))
			continue;
		while (!is_random(permuted.records[j]))
			j++;
		assert_string_equal(original.records[i]->name, permuted.records[j]->name);
		assert_offsets(original.records[i], permuted.records[j], orders[i]);
		assert_true(
			rs_record_same_members(arena, original.records[i], permuted.records[j], &difference));
		j++;
		compared++;
	}
	assert_int_equal(compared, N_STRUCTS);
	check_agreement(&permuted);
	parsed_end(&original);
	parsed_end(&permuted);
	rs_arena_destroy(arena);
}

static void test_x86_64(void **state)
{
	(void)state;
	check_target("--target=x86_64-linux-gnu");
}

static void test_i386(void **state)
{
	(void)state;
	check_target("--target=i386-linux-gnu");
}

static void test_aarch64(void **state)
{
	(void)state;
	check_target("--target=aarch64-linux-gnu");
}

static void test_arm(void **state)
{
	(void)state;
	check_target("--target=arm-linux-gnueabihf");
}

static void test_powerpc(void **state)
{
	(void)state;
	check_target("--target=powerpc64-linux-gnu");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86_64), cmocka_unit_test(test_i386),    cmocka_unit_test(test_aarch64),
		cmocka_unit_test(test_arm),    cmocka_unit_test(test_powerpc),
	};
	return cmocka_run_group_tests_name("records_random", tests, scratch_make, scratch_remove);
}
