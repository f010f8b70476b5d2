/* What code does to members: which expressions read, which write, how often loops say. */
#include "tu_fixture.h"

#include "parse/code.h"
#include "parse/records.h"

static struct rs_code code;
static const struct rs_record *record;

static const char types[] =
	"struct peer { long a, b; int c; struct peer *next; char buf[8]; struct { int x, y; } in; _Atomic int "
	"at; };\n"
	"#define SET(p, f, v) do { (p)->f = (v); } while (0)\n"
	"#define OP(p, f, op, v) ((p)->f op (v))\n"
	"#define INC(p, f) ((p)->f++)\n"
	"#define GET_B(p) ((p)->b)\n"
	"#define SET_B(p, v) (GET_B(p) = (v))\n"
	"#define TRICE(body) for (int i = 0; i < 3; i++) { body; }\n"
	"void take(long *); void look(const long *); void *memset(void *, int, unsigned long);\n"
	"void *memcpy(void *, const void *, unsigned long);\n";

static void read_body(const char *body)
{
	struct rs_record_query query = { .name = "peer" };
	const struct rs_record **found;
	size_t count = 0;

	options.with_bodies = true;
	write_text("p.c", rs_arena_printf(arena, "%svoid f(struct peer *p, struct peer *q, int n) {\n%s\n}\n",
					  types, body));
	open_file("p.c");
	assert_null(rs_records_find(tu, arena, &query, &found, &count));
	assert_int_equal(count, 1);
	record = found[0];
	code = (struct rs_code) { .arena = arena };
	rs_code_read(tu, &record, 1, &code);
	rs_code_settle(&code);
}

static const char *show_deeds(unsigned does)
{
	static const char *const letters[] = { "r", "w", "a", "&" };
	char *text = rs_arena_strdup(arena, "");

	for (size_t i = 0; i < RS_COUNT_OF(letters); i++)
		if (does & 1u << i)
			text = rs_arena_printf(arena, "%s%s", text, letters[i]);
	return text;
}

/* "a:w b:rw*10": members in the order of the text, with what is done, and how often where loops say so. */
static void expect_code(const char *body, const char *wanted)
{
	char *found = rs_arena_strdup(arena, "");

	read_body(body);
	for (size_t f = 0; f < code.n_functions; f++) {
		const struct rs_code_function *function = &code.functions[f];

		for (size_t i = 0; i < function->n_sites; i++) {
			const struct rs_code_site *site = &function->sites[i];
			const char *name = site->member == RS_NONE ? "all" : record->members[site->member].path;
			double times = rs_code_estimate(function, site->block);

			found = rs_arena_printf(arena, "%s%s%s:%s", found, *found ? " " : "", name,
						show_deeds(site->does));
			if (times > 1)
				found = rs_arena_printf(arena, "%s*%g", found, times);
		}
	}
	if (strcmp(found, wanted) != 0)
		fail_msg("%s\n  gives  %s\n  wanted %s", body, found, wanted);
}

static void test_plain(void **state)
{
	(void)state;
	expect_code("p->a = 1;", "a:w");
	expect_code("p->a += 1;", "a:rw");
	expect_code("n = p->a;", "a:r");
	expect_code("p->c++; --p->c;", "c:rw c:rw");
	expect_code("if (p->a == p->b) n = 1;", "a:r b:r");
	expect_code("p->a = p->b;", "a:w b:r");
	expect_code("p->next->a = 1;", "next:r a:w");
	expect_code("p->in.x = p->in.y;", "in.x:w in.y:r");
	expect_code("p->buf[n] = 1; n = p->buf[2];", "buf:w buf:r");
	expect_code("(void)p->a; n = (int)p->b;", "a:r b:r");
	expect_code("n = sizeof p->a + _Alignof(__typeof__(p->b)) + __builtin_offsetof(struct peer, c);", "");
}

static void test_macros(void **state)
{
	(void)state;
	expect_code("SET(p, a, 1);", "a:w");
	expect_code("OP(p, a, =, 1);", "a:w");
	expect_code("OP(p, a, |=, 1);", "a:rw");
	expect_code("n = OP(p, a, ==, 1);", "a:r");
	expect_code("INC(p, c);", "c:rw");
	expect_code("SET_B(p, 1);", "b:w");
	expect_code("n = GET_B(p);", "b:r");
	expect_code("SET(p, a, GET_B(q));", "a:w b:r");
}

static void test_addresses(void **state)
{
	(void)state;
	expect_code("take(&p->a);", "a:&");
	expect_code("look(&p->a);", "a:r");
	expect_code("long *x = &p->a; *x = 1;", "a:&");
	expect_code("memset(p->buf, 0, sizeof p->buf);", "buf:w");
	expect_code("memcpy(p->buf, q->buf, 8);", "buf:w buf:r");
	expect_code("__atomic_add_fetch(&p->a, 1, __ATOMIC_RELAXED);", "a:a");
	expect_code("__sync_fetch_and_add(&p->a, 1);", "a:a");
	expect_code("n = __atomic_load_n(&p->a, __ATOMIC_RELAXED);", "a:r");
	expect_code("__atomic_store_n(&p->a, 1, __ATOMIC_RELAXED);", "a:w");
	expect_code("p->at++;", "at:a");
}

static void test_whole_objects(void **state)
{
	(void)state;
	expect_code("*p = *q;", "all:w all:r");
	expect_code("memset(p, 0, sizeof *p);", "all:w");
	expect_code("struct peer copy = *p; (void)copy;", "all:r");
}

/* do { … } while (0), the form of macros, is no loop. */
static void test_loops(void **state)
{
	(void)state;
	expect_code("for (; p; p = p->next) n = p->c;", "next:r*10 c:r*10");
	expect_code("for (p->a = 0; n; n--) p->b = 1;", "a:w b:w*10");
	expect_code("while (p->a) { while (p->b) p->c = 1; }", "a:r*10 b:r*100 c:w*100");
	expect_code("do { p->a = 1; } while (0);", "a:w");
	expect_code("do { p->a = 1; } while (n);", "a:w*10");
	expect_code("do { for (; n; n--) SET(p, a, 1); } while (0);", "a:w*10");
	expect_code("TRICE(p->a = 1)", "a:w*10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain, setup, teardown),
		cmocka_unit_test_setup_teardown(test_macros, setup, teardown),
		cmocka_unit_test_setup_teardown(test_addresses, setup, teardown),
		cmocka_unit_test_setup_teardown(test_whole_objects, setup, teardown),
		cmocka_unit_test_setup_teardown(test_loops, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
