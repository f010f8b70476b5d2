/*
 * The writers, on results built by hand; with a folder as argument the JSON results and their sources are
 * written there for check-json.py.
 */
#include <stdio.h>
#include <time.h>

#include "report_fixture.h"
#include "text/patch.h"

static const char *json_folder;

static const struct rs_report_options annotate = { .kind = RS_REPORT_ANNOTATE };
static const struct rs_report_options optimize = { .kind = RS_REPORT_OPTIMIZE };

static void save_json(const char *name, const struct rs_result *result, const struct rs_report_options *options)
{
	char *text = write_result(result, "json", options), path[4096];

	if (json_folder) {
		snprintf(path, sizeof path, "%s/%s.json", json_folder, name);
		assert_null(rs_file_write(path, text, strlen(text)));
		for (size_t i = 0; i < result->n_files; i++) {
			const struct rs_source *source = result->files[i].source;

			snprintf(path, sizeof path, "%s/%s", json_folder, rs_path_basename(source->path));
			assert_null(rs_file_write(path, source->text, source->size));
		}
	}
	free(text);
}

static struct rs_line_report *add_line(struct make *make, struct rs_plan_result *layout, uint64_t line,
				       double cost_ns)
{
	struct rs_line_report *lines = rs_arena_array(make->arena, struct rs_line_report, 4);

	if (layout->lines)
		memcpy(lines, layout->lines, layout->n_lines * sizeof *lines);
	layout->lines = lines;
	lines[layout->n_lines] = (struct rs_line_report) { .line = line, .cost_ns = cost_ns };
	return &lines[layout->n_lines++];
}

/* Numbers that the model would give, and that a reader of the expected texts finds again. */
static void add_peer_lines(struct make *make)
{
	struct rs_line_report *line = add_line(make, &make->result.original, 0, 9096.25);

	line->writers = make_list(make, "dtime, refcnt, rid, ip_id_count", &line->n_writers);
	line->victims =
		make_list(make, "avl_left, avl_right, daddr, avl_height, dtime, refcnt", &line->n_victims);
	line->false_ns = 5140.2;
	line->true_ns = 12;
	line->write_share = 0.39;
	add_line(make, &make->result.original, 1, 2.526);
	make->original->cost_ns = 9098.776;
}

static struct rs_plan *add_plan(struct make *make, const size_t *order, double cost_ns)
{
	struct rs_plan *plan = make_plan(make, (unsigned)make->result.n_plans + 1, order);

	plan->cost_ns = cost_ns;
	make->plans[make->result.n_plans++] = (struct rs_plan_result) { .plan = plan, .changed_lines = 4 };
	make->result.verdict = RS_VERDICT_PLANS;
	return plan;
}

/* The edits that the rewriter would make for one unit that goes behind another: out here, in there. */
static void carry_out(struct make *make, struct rs_plan_result *plan, size_t unit, size_t after)
{
	const struct rs_source *source = make->record.source;
	struct rs_edit *edits = rs_arena_array(make->arena, struct rs_edit, 2);
	struct rs_builder text = { 0 };
	size_t start = make->units[unit].span.start - 1, end = make->units[unit].span.end + 1;
	size_t place = make->units[after].span.end + 1;

	edits[0] = (struct rs_edit) { .source = source, .span = { start, end }, .text = "" };
	edits[1] = (struct rs_edit) {
		.source = source, .span = { place, place }, .text = source->text + start, .size = end - start
	};
	rs_edit_apply(source, edits, 2, &text);
	plan->edits = edits;
	plan->n_edits = 2;
	plan->new_text = rs_arena_strndup(make->arena, text.data, text.length);
	plan->new_size = text.length;
	plan->verified = true;
	rs_builder_deinit(&text);
}

/* Plan 1 moves dtime to the end; plan 2 refcnt and dtime. */
static void add_peer_plans(struct make *make)
{
	static const size_t first[] = { 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 4 };
	static const size_t second[] = { 0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 4, 5 };
	struct rs_operation *operations = rs_arena_array(make->arena, struct rs_operation, 2);

	operations[0] = (struct rs_operation) { .first_unit = 4, .n_units = 1, .after_unit = 16 };
	operations[1] = (struct rs_operation) { .first_unit = 4, .n_units = 2, .after_unit = 16 };
	for (size_t i = 0; i < 2; i++) {
		struct rs_plan *plan = add_plan(make, i ? second : first, i ? 4001.5 : 8000.125);

		plan->operations = &operations[i];
		plan->n_operations = plan->moved_blocks = 1;
	}
	carry_out(make, &make->plans[0], 4, 16);
	struct rs_line_report *line = add_line(make, &make->plans[1], 2, 3990);
	line->writers = make_list(make, "dtime, refcnt", &line->n_writers);
	line->victims = make_list(make, "dtime, refcnt", &line->n_victims);
	line->true_ns = 3100.04;
	line->write_share = 1;
	make->result.pick = 1;
	make->result.lower_bound_ns = 3823.25;
}

static void test_annotate_without_profile(void **state)
{
	struct make make;

	(void)state;
	make_peer(&make);
	char *text = write_result(&make.all, "text", &annotate);
	expect_golden("annotate-plain.txt", text);
	free(text);
	save_json("annotate-plain", &make.all, &annotate);
	make_free(&make);
}

static void test_annotate_with_profile(void **state)
{
	struct make make;

	(void)state;
	make_peer(&make);
	add_peer_profile(&make);
	add_peer_lines(&make);
	char *text = write_result(&make.all, "text", &annotate);
	expect_golden("annotate-profile.txt", text);
	free(text);
	save_json("annotate-profile", &make.all, &annotate);
	make_free(&make);
}

static void test_hex(void **state)
{
	const struct rs_report_options hex = { .kind = RS_REPORT_ANNOTATE, .hex = true };
	struct make make;

	(void)state;
	make_peer(&make);
	char *text = write_result(&make.all, "text", &hex);
	assert_non_null(strstr(text, "/*     0   0x8 */"));
	assert_non_null(strstr(text, "/*  0x80   0x8 */"));
	assert_non_null(strstr(text, "/* --- cacheline 2 boundary (0x80 bytes) --- */"));
	assert_non_null(strstr(text, "/* size: 0xa8, cachelines: 3, members: 17 */"));
	free(text);
	make_free(&make);
}

static void test_optimize(void **state)
{
	struct make make;

	(void)state;
	make_peer(&make);
	add_peer_profile(&make);
	add_peer_lines(&make);
	add_peer_plans(&make);
	char *text = write_result(&make.all, "text", &optimize);
	expect_golden("optimize.txt", text);
	expect_columns(text, 110);
	free(text);
	save_json("optimize", &make.all, &optimize);
	make_free(&make);
}

static void test_no_gain(void **state)
{
	struct make make;

	(void)state;
	make_peer(&make);
	make.result.verdict = RS_VERDICT_NO_GAIN;
	make.result.proven = true;
	make.result.lower_bound_bytes = 168;
	char *text = write_result(&make.all, "text", &optimize);
	assert_non_null(strstr(text, "no gain: no permitted order is better than the one it has\n"));
	assert_non_null(strstr(text, "lower bound 168 bytes: the order as it stands is proven optimal\n"));
	free(text);
	save_json("no-gain", &make.all, &optimize);
	make_free(&make);
}

static void test_refusal(void **state)
{
	static const struct rs_pin pins[] = {
		{ "packed", RS_PIN_HARD, "the struct is packed", "inetpeer.h", 3, RS_NONE, true },
		{ "first-member", RS_PIN_CONTRACT, "'avl_left' is cast to", NULL, 0, 0, false },
	};
	static const struct rs_pin hazard = { "offset-assert",
					      RS_PIN_CONTRACT,
					      "offsetof(struct inet_peer, rid) is used",
					      "user.c",
					      77,
					      4,
					      false };
	struct make make;

	(void)state;
	make_peer(&make);
	make.result.verdict = RS_VERDICT_REFUSED;
	make.record.pins = pins;
	make.record.n_pins = 2;
	make.result.hazards = &hazard;
	make.result.n_hazards = 1;
	rs_notes_add(&make.notes, RS_NOTE_WARNING, "user.c", 3, 7, "something \"odd\"");
	rs_notes_add(&make.notes, RS_NOTE_INFO, NULL, 0, 0, "nothing");
	char *text = write_result(&make.all, "text", &optimize);
	assert_non_null(strstr(text, "refused: nothing in it may move, 168 bytes in 3 lines\n"));
	assert_non_null(strstr(text, "refused: the struct is packed (packed, hard) inetpeer.h:3\n"));
	assert_non_null(strstr(text, "pinned: 'avl_left' is cast to (first-member, contract) inetpeer.h\n"));
	assert_non_null(strstr(
		text, "hazard: offsetof(struct inet_peer, rid) is used (offset-assert, contract) user.c:77\n"));
	free(text);
	save_json("refusal", &make.all, &optimize);
	make_free(&make);
}

static void test_mixed(void **state)
{
	struct make make;

	(void)state;
	make_mixed(&make);
	char *text = write_result(&make.all, "text", &annotate);
	expect_golden("annotate-mixed.txt", text);
	free(text);
	make_profile(&make);
	make_access(&make, "tick", 7, "u.in.q w, j r, h rw");
	RS_CLEANUP(rs_builder_deinit) struct rs_builder map = { 0 };
	rs_map_print(&map, &make.result, &make.result.original, 64, false);
	expect_golden("map-mixed.txt", map.data);
	save_json("mixed", &make.all, &annotate);
	make_free(&make);
}

/* A struct that is defined elsewhere is shown as one member unless something in it is used. */
static void test_foreign_struct(void **state)
{
	const struct rs_report_options verbose = { .kind = RS_REPORT_ANNOTATE, .verbose = true };
	struct make make;

	(void)state;
	make_mixed(&make);
	for (size_t i = make_find(&make, "u"); i <= make_find(&make, "u.in.q"); i++)
		make.members[i].byte = make.members[make_find(&make, "u")].byte;
	char *text = write_result(&make.all, "text", &annotate);
	assert_non_null(strstr(text, "\tunion                      u; "));
	assert_null(strstr(text, "\t\tint "));
	free(text);
	text = write_result(&make.all, "text", &verbose);
	assert_non_null(strstr(text, "\t\tint                x; "));
	free(text);
	make_profile(&make);
	make_access(&make, "tick", 7, "u.in.q w");
	text = write_result(&make.all, "text", &annotate);
	assert_non_null(strstr(text, "/*    26     2 */  /* L0      W7  #  tick */"));
	free(text);
	make_free(&make);
}

/* The record begins 48 bytes into its container's line; the container's own bytes are drawn around it. */
static void test_embedded(void **state)
{
	static const struct rs_placement_base base = { "rtable", "dst", 48 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder map = { 0 };
	struct make make;

	(void)state;
	make_peer(&make);
	add_peer_profile(&make);
	make.binding.placement =
		(struct rs_placement) { .kind = RS_PLACE_EMBEDDED, .bases = &base, .n_bases = 1 };
	make.result.cost = rs_cost_create(make.arena, &make.binding);
	rs_map_print(&map, &make.result, &make.result.original, 64, false);
	expect_golden("map-embedded.txt", map.data);
	char *text = write_result(&make.all, "text", &annotate);
	assert_non_null(strstr(text, "/* --- cacheline 1 boundary (16 bytes) --- */"));
	assert_non_null(strstr(text, "/* size: 168, cachelines: 4, members: 17 */"));
	assert_non_null(strstr(text, "objects are embedded in rtable.dst at 48 of a line"));
	free(text);
	save_json("embedded", &make.all, &annotate);
	make_free(&make);
}

/* Without the escape sequences the coloured text is the plain one. */
static void test_color_only_adds(void **state)
{
	const struct rs_report_options colored = { .kind = RS_REPORT_OPTIMIZE, .color = true };
	struct make make;

	(void)state;
	make_peer(&make);
	add_peer_profile(&make);
	add_peer_lines(&make);
	add_peer_plans(&make);
	char *plain = write_result(&make.all, "text", &optimize),
	     *text = write_result(&make.all, "text", &colored);
	size_t length = 0;
	assert_string_not_equal(plain, text);
	for (char *at = text; *at; at++) {
		if (*at == '\033')
			at += strcspn(at, "m");
		else
			text[length++] = *at;
	}
	text[length] = '\0';
	assert_string_equal(plain, text);
	free(plain);
	free(text);
	make_free(&make);
}

static void test_utf8_names(void **state)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder map = { 0 };
	struct make make;

	(void)state;
	make_begin(&make, "wide.h", "", "größe");
	make_field(&make, "long häufigkeit", "häufigkeit", 8, 8, 0);
	make_field(&make, "long 測定", "測定", 8, 8, 0);
	make_field(&make, "char tail[48]", "tail", 48, 1, 0);
	make_end(&make);
	rs_map_print(&map, &make.result, &make.result.original, 64, false);
	expect_golden("map-utf8.txt", map.data);
	char *text = write_result(&make.all, "text", &annotate), *first = strstr(text, "häufig");
	assert_non_null(first);
	expect_columns(text, 78);
	free(text);
	save_json("utf8", &make.all, &annotate);
	make_free(&make);
}

static void test_patch(void **state)
{
	const struct rs_report_options patch = { .kind = RS_REPORT_PATCH };
	struct rs_builder expected = { 0 };
	struct make make;

	(void)state;
	make_peer(&make);
	add_peer_profile(&make);
	add_peer_plans(&make);
	char *text = write_result(&make.all, "text", &patch);
	assert_string_equal(text, "");
	free(text);
	make.file.new_text = make.plans[0].new_text;
	make.file.new_size = make.plans[0].new_size;
	text = write_result(&make.all, "text", &patch);
	assert_null(rs_patch_print(&expected, "inetpeer.h", 0100644, make.record.source->text,
				   make.record.source->size, make.file.new_text, make.file.new_size, 3));
	assert_string_equal(text, expected.data);
	assert_non_null(strstr(text, "--- a/inetpeer.h\n+++ b/inetpeer.h\n"));
	assert_non_null(strstr(text, "\n-\t__u32 dtime;\n"));
	assert_non_null(strstr(text, "\n+\t__u32 dtime;\n"));
	rs_builder_deinit(&expected);
	free(text);
	save_json("patch", &make.all, &patch);
	make_free(&make);
}

/* Bytes that JSON cannot carry are never carried wrongly. */
static void test_latin1_edits(void **state)
{
	static const struct rs_edit edit = { .text = "/* gr\xF6\xDF"
						     "er */",
					     .size = 12 };
	struct make make;

	(void)state;
	make_peer(&make);
	add_peer_plans(&make);
	struct rs_edit own = edit;
	own.source = make.record.source;
	make.plans[1].edits = &own;
	make.plans[1].n_edits = 1;
	char *text = write_result(&make.all, "json", &optimize);
	assert_null(strstr(text, "\xF6"));
	assert_null(strstr(text, "/* gr"));
	assert_non_null(strstr(text, "not UTF-8"));
	free(text);
	save_json("latin1", &make.all, &optimize);
	make_free(&make);
}

static void test_several_records(void **state)
{
	struct make peer, mixed;
	struct rs_record_result records[2];
	struct rs_file_result files[2];

	(void)state;
	make_peer(&peer);
	make_mixed(&mixed);
	records[0] = peer.result, records[1] = mixed.result;
	files[0] = peer.file, files[1] = mixed.file;
	peer.all.records = records;
	peer.all.files = files;
	peer.all.n_records = peer.all.n_files = 2;
	char *text = write_result(&peer.all, "text", &annotate);
	assert_non_null(strstr(text, "};\n\nstruct mixed {"));
	free(text);
	save_json("several", &peer.all, &annotate);
	make_free(&peer);
	make_free(&mixed);
}

static void test_paths_below_root(void **state)
{
	struct make make;

	(void)state;
	make_peer(&make);
	struct rs_source source = *make.record.source;
	source.path = "../src/inetpeer.h";
	source.realpath = "/project/src/inetpeer.h";
	make.record.source = &source;
	make.all.root = "/project";
	char *text = write_result(&make.all, "text", &annotate);
	assert_non_null(strstr(text, " /* src/inetpeer.h:3 */"));
	free(text);
	make_free(&make);
}

static void test_find(void **state)
{
	(void)state;
	assert_non_null(rs_report_find("text", RS_REPORT_PATCH));
	assert_ptr_not_equal(rs_report_find("text", RS_REPORT_PATCH)->write,
			     rs_report_find("text", RS_REPORT_ANNOTATE)->write);
	assert_non_null(rs_report_find("json", RS_REPORT_OPTIMIZE));
	assert_null(rs_report_find("yaml", RS_REPORT_OPTIMIZE));
}

/* 200,000 members, and one of 1 GiB: seconds would mean that something is quadratic. */
static void test_large(void **state)
{
	enum { COUNT = 200000 };
	struct make make;
	clock_t start;

	(void)state;
	make_begin(&make, "large.h", "", "large");
	for (size_t i = 0; i < COUNT; i++) {
		char *name = rs_arena_printf(make.arena, "m%zu", i);

		make_field(&make, rs_arena_printf(make.arena, "int %s", name), name, 4, 4, 0);
	}
	make_field(&make, "char blob[1073741824]", "blob", 1u << 30, 1, 0);
	make_end(&make);
	make_profile(&make);
	make_access(&make, "tick", 1, "m1 r, m199999 w");
	start = clock();
	char *text = write_result(&make.all, "text", &annotate);
	assert_non_null(strstr(text, "... the same up to byte 1074541823\n"));
	free(text);
	free(write_result(&make.all, "json", &annotate));
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
	make_free(&make);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_annotate_without_profile),
		cmocka_unit_test(test_annotate_with_profile),
		cmocka_unit_test(test_hex),
		cmocka_unit_test(test_optimize),
		cmocka_unit_test(test_no_gain),
		cmocka_unit_test(test_refusal),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_foreign_struct),
		cmocka_unit_test(test_embedded),
		cmocka_unit_test(test_color_only_adds),
		cmocka_unit_test(test_utf8_names),
		cmocka_unit_test(test_patch),
		cmocka_unit_test(test_latin1_edits),
		cmocka_unit_test(test_several_records),
		cmocka_unit_test(test_paths_below_root),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_large),
	};

	json_folder = argc > 1 ? argv[1] : NULL;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
