/* Facts on their way between processes and runs: they come back as they were, and no bytes do harm. */
#include "tu_fixture.h"

#include "base/wire.h"
#include "parse/facts.h"
#include "parse/records.h"

static const char facts_text[] = "#include <stddef.h>\n"
				 "struct pair { int a; char b; long c; };\n"
				 "struct pair by_place[] = { { 1, 'x', 3 }, { .c = 4, .b = 2 } };\n"
				 "#define PAIR(x) { x, 'm', x }\n"
				 "struct pair made = PAIR(5);\n"
				 "_Static_assert(offsetof(struct pair, b) == 4, \"\");\n"
				 "char *tail(struct pair *p) { return (char *)p + offsetof(struct pair, c); }\n"
				 "long first(struct pair *p) { return *(long *)p; }\n";

static struct rs_question ask(void)
{
	const struct rs_record **records;
	size_t count;

	write_text("facts.c", facts_text);
	options.with_bodies = true;
	open_file("facts.c");
	struct rs_error *error = rs_records_find(
		tu, arena, &(struct rs_record_query) { .file = "facts.c", .name = "pair" }, &records, &count);
	if (error)
		fail_msg("%s", error->message);
	assert_int_equal(count, 1);
	return (struct rs_question) { .records = records, .n_records = count, .root = scratch_root };
}

static struct rs_builder write_facts(const struct rs_facts *facts)
{
	struct rs_builder out = { 0 };

	rs_facts_put(facts, &out);
	return out;
}

static bool read_facts(const struct rs_question *question, const char *bytes, size_t size,
		       struct rs_arena *scratch, struct rs_facts *ret_facts)
{
	struct rs_wire wire;

	rs_wire_init(&wire, bytes, size);
	return rs_facts_get(&wire, scratch, question, ret_facts);
}

static void test_facts_come_back(void **state)
{
	struct rs_facts facts, back;

	(void)state;
	const struct rs_question question = ask();
	rs_facts_find(tu, &question, arena, &facts);
	assert_true(facts.pins[0].n_pins > 0);
	assert_true(facts.initializers[0].n_items >= 2);
	assert_true(facts.n_asserting > 0);
	struct rs_builder once = write_facts(&facts);
	assert_true(read_facts(&question, once.data, once.length, arena, &back));
	struct rs_builder twice = write_facts(&back);
	assert_int_equal(once.length, twice.length);
	assert_memory_equal(once.data, twice.data, once.length);
	rs_builder_deinit(&once);
	rs_builder_deinit(&twice);
	rs_facts_fail(arena, RS_ERROR_PARSE, "x.c", 3, 4, "broken", &facts);
	once = write_facts(&facts);
	assert_true(read_facts(&question, once.data, once.length, arena, &back));
	assert_int_equal(back.failure->code, RS_ERROR_PARSE);
	assert_string_equal(back.failure->path, "x.c");
	assert_int_equal(back.failure->line, 3);
	assert_string_equal(back.failure->message, "broken");
	rs_builder_deinit(&once);
}

/* Whatever the bytes, reading ends, and gives facts that can be written again. */
static void try_bytes(const struct rs_question *question, const char *bytes, size_t size)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct rs_facts back;
	char *copy = (char *)malloc(size ? size : 1); /* so that a sanitizer sees what is read behind it */

	memcpy(copy, bytes, size);
	if (read_facts(question, copy, size, scratch, &back)) {
		struct rs_builder out = write_facts(&back);

		for (size_t i = 0; i < back.n_records; i++)
			for (size_t k = 0; k < back.pins[i].n_constraints; k++)
				assert_true(back.pins[i].constraints[k].unit < question->records[i]->n_units);
		rs_builder_deinit(&out);
	}
	free(copy);
}

static void test_changed_bytes_of_facts(void **state)
{
	struct rs_facts facts;
	unsigned seed = 1;

	(void)state;
	const struct rs_question question = ask();
	rs_facts_find(tu, &question, arena, &facts);
	struct rs_builder whole = write_facts(&facts);
	for (size_t i = 0; i < whole.length; i++) {
		struct rs_facts cut;

		assert_false(read_facts(&question, whole.data, i, arena, &cut));
		for (size_t bit = 0; bit < 8; bit++) {
			whole.data[i] ^= (char)(1 << bit);
			try_bytes(&question, whole.data, whole.length);
			whole.data[i] ^= (char)(1 << bit);
		}
	}
	for (int round = 0; round < 3000; round++) {
		char bytes[160];

		for (size_t i = 0; i < sizeof bytes; i++) {
			seed = seed * 1103515245 + 12345;
			bytes[i] = (char)(seed >> 16 & (seed & 0x8000000 ? 3 : 0xff));
		}
		try_bytes(&question, bytes, (size_t)round % sizeof bytes);
	}
	rs_builder_deinit(&whole);
}

static void test_question_tells_records_apart(void **state)
{
	struct rs_builder one = { 0 }, other = { 0 };

	(void)state;
	const struct rs_question question = ask();
	rs_question_put(&question, &one);
	struct rs_record changed = *question.records[0];
	struct rs_member *members = rs_arena_array(arena, struct rs_member, changed.n_members);
	memcpy(members, changed.members, changed.n_members * sizeof *members);
	members[1].is_volatile = true;
	changed.members = members;
	const struct rs_record *records[] = { &changed };
	rs_question_put(&(struct rs_question) { .records = records, .n_records = 1, .root = scratch_root },
			&other);
	assert_true(one.length != other.length || memcmp(one.data, other.data, one.length) != 0);
	rs_builder_deinit(&one);
	rs_builder_deinit(&other);
}

/* --- numbers and texts --- */

static void test_wire(void **state)
{
	static const uint64_t numbers[] = {
		0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX - 1, UINT64_MAX
	};
	struct rs_builder out = { 0 };
	struct rs_wire wire;
	size_t size;

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(numbers); i++)
		rs_wire_put_number(&out, numbers[i]);
	rs_wire_put_text(&out, NULL);
	rs_wire_put_text(&out, "");
	rs_wire_put_text(&out, "text");
	rs_wire_put_bytes(&out, "a\0b", 3);
	rs_wire_init(&wire, out.data, out.length);
	for (size_t i = 0; i < RS_COUNT_OF(numbers); i++)
		assert_true(rs_wire_get_number(&wire) == numbers[i]);
	assert_null(rs_wire_get_text(&wire, arena));
	assert_string_equal(rs_wire_get_text(&wire, arena), "");
	assert_string_equal(rs_wire_get_text(&wire, arena), "text");
	assert_false(rs_wire_is_done(&wire));
	const char *bytes = rs_wire_get_bytes(&wire, &size);
	assert_int_equal(size, 3);
	assert_memory_equal(bytes, "a\0b", 3);
	assert_true(rs_wire_is_done(&wire));
	assert_int_equal(rs_wire_get_number(&wire), 0); /* behind the end */
	assert_true(wire.is_broken);
	assert_false(rs_wire_is_done(&wire));
	rs_builder_deinit(&out);
}

static void test_wire_that_is_broken(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} broken[] = {
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10 }, /* more than 64 bits */
		{ "\x80", 1 },                                      /* goes on behind the end */
		{ "", 0 },
	};
	struct rs_wire wire;

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(broken); i++) {
		rs_wire_init(&wire, broken[i].bytes, broken[i].size);
		assert_int_equal(rs_wire_get_number(&wire), 0);
		assert_true(wire.is_broken);
	}
	rs_wire_init(&wire,
		     "\x05"
		     "abc",
		     4);
	assert_null(rs_wire_get_text(&wire, arena)); /* longer than what is there */
	assert_true(wire.is_broken);
	rs_wire_init(&wire,
		     "\x04"
		     "a\0c",
		     4);
	assert_null(rs_wire_get_text(&wire, arena)); /* a NUL inside */
	assert_true(wire.is_broken);
	rs_wire_init(&wire, "\x02", 1);
	assert_false(rs_wire_get_bool(&wire));
	assert_true(wire.is_broken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_facts_come_back, setup, teardown),
		cmocka_unit_test_setup_teardown(test_changed_bytes_of_facts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_question_tells_records_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wire, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wire_that_is_broken, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
