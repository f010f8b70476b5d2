/*
 * Layouts on which compilers differ, found by laying the same structs out with gcc and with clang: libclang's
 * word is not the build's there, so the record is refused. The neighbours on which they agree are not.
 */
#include "records_fixture.h"

#define PRELUDE                                                \
	"typedef int high_int __attribute__((aligned(16)));\n" \
	"typedef int low_int __attribute__((aligned(1)));\n"   \
	"typedef int two_ints __attribute__((vector_size(8)));\n"

struct dispute {
	const char *flag; /* NULL: none */
	const char *member;
	bool is_disputed;
};

static const char *refusal_of(const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].refuses)
			return record->pins[i].code;
	return NULL;
}

static void check(const struct dispute *dispute)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct parsed parsed;

	rs_builder_printf(&text, PRELUDE "struct s { char first; %s; char last; };\n", dispute->member);
	scratch_write("t.h", text.data, text.length);
	parse_with(&parsed, "t.h", "s", &dispute->flag, dispute->flag ? 1 : 0);
	if (parsed.error)
		fail_msg("%s: %s", dispute->member, parsed.error->message);
	const char *refusal = refusal_of(record_named(&parsed, "s"));
	bool is_disputed = refusal && strcmp(refusal, "disputed-layout") == 0;
	if (is_disputed != dispute->is_disputed)
		fail_msg("'%s' under %s: refused for %s", dispute->member,
			 dispute->flag ? dispute->flag : "no flag", refusal ? refusal : "nothing");
	parsed_end(&parsed);
}

static void check_all(const struct dispute *disputes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check(&disputes[i]);
}

static void test_types(void **state)
{
	static const struct dispute disputes[] = {
		{ NULL, "_Atomic(struct { char x[3]; }) m", true },
		{ NULL, "_Atomic(struct { int x[3]; }) m[2]", true },
		{ NULL, "_Atomic(struct { char x[8]; }) m", false },
		{ NULL, "_Atomic long long m", false },
		{ NULL, "struct { char c; struct { _Atomic(struct { char x[3]; }) n; } in; } m", true },
		{ "-m32", "_Atomic(_Complex double) m", true },
		{ "-m32", "two_ints m", true },
		{ NULL, "two_ints m", false },
		{ "-m32", "float m __attribute__((vector_size(16)))", false },
	};

	(void)state;
	check_all(disputes, RS_COUNT_OF(disputes));
}

static void test_bitfields(void **state)
{
	static const struct dispute disputes[] = {
		{ NULL, "high_int m : 3", true },
		{ NULL, "low_int m : 3", false },
		{ NULL, "int m : 3 __attribute__((aligned(8)))", false },
		{ "-mms-bitfields", "int m : 3", true },
		{ "-mms-bitfields", "union { char x; int y : 9; } m", true },
		{ "-mms-bitfields", "low_int m", true },
		{ "-mms-bitfields", "long m", false },
		{ "-fpack-struct=8", "int m : 3", true },
		{ "-fpack-struct=8", "struct { int y : 9; } m", true },
		{ "-fpack-struct=8", "long m", false },
		{ "--target=x86_64-pc-windows-msvc", "int m : 3", true },
		{ "--target=x86_64-w64-mingw32", "int m : 3", true },
		{ "--target=x86_64-pc-windows-msvc", "struct { int y : 9; } m", false },
		{ "--target=armv7k-apple-watchos", "int m : 3", true },
		{ "--target=aarch64-linux-gnu", "int m : 3", false },
		{ "--target=arm-linux-gnueabihf", "int m : 3", false },
	};

	(void)state;
	check_all(disputes, RS_COUNT_OF(disputes));
}

static void test_long_double(void **state)
{
	static const struct dispute disputes[] = {
		{ NULL, "long double m", false },
		{ "-malign-double", "long double m", true },
		{ "-malign-double", "struct { long double x[2]; } m", true },
		{ "-malign-double", "_Complex long double m", true },
		{ "-malign-double", "double m", false },
	};

	(void)state;
	check_all(disputes, RS_COUNT_OF(disputes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_bitfields),
		cmocka_unit_test(test_long_double),
	};

	return cmocka_run_group_tests_name("records_disputes", tests, scratch_make, scratch_remove);
}
