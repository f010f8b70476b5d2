#include "report/explain.h"

#include <inttypes.h>
#include <math.h>

#include "report/columns.h"
#include "report/format.h"
#include "report/panel.h"
#include "report/style.h"

enum {
	PATHS_SHOWN = 12,
	NAMES_SHOWN = 8,
	NAME_COLUMNS = 20,
	SHARING_COLUMNS = 11,
	TEXT_COLUMNS = 78,
	PAYERS_SHOWN = 3,
	FEWEST_LIKE = 3 /* lines that are the same, to be put in one */
};

/* Below this many nanoseconds nothing is worth a word. */
static const double LEAST_NS = 0.05;

/* One field in one layout. */
struct page {
	struct rs_builder *out;
	const struct rs_record_result *of; /* that members and paths are of */
	const struct rs_explanation *explanation;
	const struct rs_plan *plan;
	const struct rs_report_options *options;
};

static const char *path_name(const struct page *page, size_t path)
{
	const char *name = page->of->binding->paths[path].name;

	return name ? name : "(unnamed)";
}

static void append_signed(struct rs_builder *out, double ns)
{
	if (fabs(ns) < LEAST_NS)
		rs_builder_appendc(out, '0');
	else
		rs_builder_printf(out, "%+.1f", ns);
}

static void print_place(const struct page *page)
{
	const struct rs_explanation *explanation = page->explanation;

	rs_builder_appends(page->out, page->plan->id ? "" : "  as it stands");
	if (page->plan->id)
		rs_builder_printf(page->out, "  in plan %u", page->plan->id);
	rs_builder_appends(page->out, ": at ");
	rs_format_place(page->out, page->options->hex, explanation->offset_bits);
	rs_builder_printf(page->out, " on L%" PRIu64, explanation->first_line);
	if (explanation->last_line != explanation->first_line)
		rs_builder_printf(page->out, " to L%" PRIu64, explanation->last_line);
	rs_builder_appendc(page->out, '\n');
}

static double shared_ns(const struct rs_explain_path *path)
{
	double ns = path->with_ns - path->without_ns - path->alone_ns;

	return fabs(ns) < LEAST_NS ? 0 : ns;
}

static void print_path(const struct page *page, const struct rs_explain_path *path)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder sharing = { 0 };

	append_signed(&sharing, shared_ns(path));
	rs_builder_appends(page->out, "      ");
	rs_columns_pad(page->out, path_name(page, path->path), NAME_COLUMNS);
	rs_builder_printf(page->out, "  %10.6g  %11.1f  %11.1f  %11.1f  %*s\n",
			  page->of->binding->paths[path->path].rate, path->with_ns, path->without_ns,
			  path->alone_ns, SHARING_COLUMNS, sharing.data);
}

static void print_company(const struct page *page, const struct rs_explain_line *line)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_printf(&text, "L%" PRIu64, line->line);
	if (line->n_lines > 1)
		rs_builder_printf(&text, " to L%" PRIu64, line->line + line->n_lines - 1);
	rs_builder_appends(&text, line->n_company + line->n_outsiders ? " shared with "
								      : ": no other field there is used");
	rs_format_members(&text, page->of->record, line->company, line->n_company,
			  page->options->verbose ? 0 : NAMES_SHOWN);
	for (size_t i = 0; i < line->n_outsiders; i++) {
		rs_builder_appends(&text, i + line->n_company ? ", " : "");
		rs_columns_append(&text, line->outsiders[i]);
	}
	rs_columns_hang(page->out, text.data, 4, 6, TEXT_COLUMNS);
}

static void print_line(const struct page *page, const struct rs_explain_line *line)
{
	size_t shown = page->options->verbose || line->n_paths < PATHS_SHOWN ? line->n_paths : PATHS_SHOWN;
	double sum = 0;

	print_company(page, line);
	if (line->n_paths == 0) {
		rs_builder_appends(page->out, "      no path uses this line\n");
		return;
	}
	rs_builder_appends(page->out, "      ");
	rs_columns_pad(page->out, "path", NAME_COLUMNS);
	rs_builder_appends(page->out, "        rate      pays ns   without it     it alone      sharing\n");
	for (size_t i = 0; i < line->n_paths; i++) {
		if (i < shown)
			print_path(page, &line->paths[i]);
		sum += shared_ns(&line->paths[i]);
	}
	if (shown < line->n_paths)
		rs_builder_printf(page->out, "      ... %zu more paths (-v lists all)\n",
				  line->n_paths - shown);
	if (fabs(sum) < LEAST_NS || line->n_company + line->n_outsiders == 0)
		return;
	rs_builder_printf(page->out,
			  sum > 0 ? "      together they pay %.1f ns more than on lines of their own\n"
				  : "      together they pay %.1f ns less than on lines of their own\n",
			  fabs(sum));
}

static void append_behind(struct rs_builder *out, const struct rs_record *record, size_t unit)
{
	size_t member;

	if (unit == RS_NONE) {
		rs_builder_appends(out, "to the front");
		return;
	}
	rs_builder_appends(out, "behind ");
	member = record->units[unit].first_member;
	if (record->units[unit].n_members > 0)
		rs_format_member(out, record, member);
	else
		rs_columns_append(out, record->units[unit].name);
}

/* The path whose cost changes most among those not listed yet; RS_NONE. */
static size_t find_payer(const struct page *page, const struct rs_explain_move *move, const bool *listed)
{
	size_t found = RS_NONE;
	double most = LEAST_NS;

	for (size_t p = 0; p < page->of->binding->n_paths; p++) {
		double change = fabs(move->path_ns[p] - page->explanation->path_ns[p]);

		if (listed[p] || change < most)
			continue;
		found = p;
		most = change;
	}
	return found;
}

static void append_payers(const struct page *page, struct rs_arena *arena, struct rs_builder *text,
			  const struct rs_explain_move *move)
{
	bool *listed = rs_arena_array(arena, bool, page->of->binding->n_paths);
	size_t path, count = 0, most = page->options->verbose ? SIZE_MAX : PAYERS_SHOWN;

	while (count < most && (path = find_payer(page, move, listed)) != RS_NONE) {
		listed[path] = true;
		rs_builder_appends(text, count++ ? ", " : " (");
		rs_columns_append(text, path_name(page, path));
		rs_builder_printf(text, " %+.1f", move->path_ns[path] - page->explanation->path_ns[path]);
	}
	rs_builder_appends(text, count ? ")" : "");
}

/* Whether everybody pays the same wherever of the two the field stands. */
static bool is_like(const struct page *page, const struct rs_explain_move *a, const struct rs_explain_move *b)
{
	if (a->refusal || b->refusal || fabs(a->cost_ns - b->cost_ns) >= LEAST_NS)
		return false;
	if (!page->of->cost)
		return a->size_bytes == b->size_bytes;
	for (size_t p = 0; p < page->of->binding->n_paths; p++)
		if (fabs(a->path_ns[p] - b->path_ns[p]) >= LEAST_NS)
			return false;
	return true;
}

static size_t count_like(const struct page *page, const struct rs_explain_move *move)
{
	size_t count = 0;

	for (size_t i = 0; i < page->explanation->n_moves; i++)
		count += is_like(page, move, &page->explanation->moves[i]);
	return count;
}

/* Of lines that are all the same to it, the first of those where the struct is smallest stands for them. */
static bool stands_for_others(const struct page *page, size_t at)
{
	const struct rs_explain_move *moves = page->explanation->moves;

	for (size_t i = 0; i < page->explanation->n_moves; i++)
		if (i != at && is_like(page, &moves[at], &moves[i]) &&
		    (moves[i].size_bytes < moves[at].size_bytes ||
		     (moves[i].size_bytes == moves[at].size_bytes && i < at)))
			return false;
	return true;
}

/* n_like: lines that are like this one, itself included. */
static void print_move(const struct page *page, struct rs_arena *arena, const struct rs_explain_move *move,
		       size_t n_like)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_printf(&text, "L%" PRIu64 ": ", move->line);
	append_behind(&text, page->of->record, move->behind);
	rs_builder_appends(&text, ", ");
	if (page->of->cost) {
		append_signed(&text, move->cost_ns - page->plan->cost_ns);
		rs_builder_appends(&text, " ns");
		append_payers(page, arena, &text, move);
		rs_builder_appends(&text, ", ");
	}
	rs_format_bytes(&text, page->options->hex, 0, move->size_bytes);
	rs_builder_appends(&text, " bytes");
	if (move->refusal) {
		rs_builder_appends(&text, "; not permitted: ");
		rs_columns_append(&text, move->refusal);
	}
	if (n_like > 1)
		rs_builder_printf(&text, "; as much on %zu other lines", n_like - 1);
	rs_columns_hang(page->out, text.data, 4, 6, TEXT_COLUMNS);
}

static void print_moves(const struct page *page)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_explanation *explanation = page->explanation;

	rs_builder_appends(page->out, "  moved alone, to the best place on each other line:\n");
	if (explanation->n_moves == 0)
		rs_builder_appends(page->out, "    wherever it stands, it lies on the same line\n");
	for (size_t i = 0; i < explanation->n_moves; i++) {
		size_t n_like = page->options->verbose ? 1 : count_like(page, &explanation->moves[i]);

		if (n_like < FEWEST_LIKE)
			print_move(page, arena, &explanation->moves[i], 1);
		else if (stands_for_others(page, i))
			print_move(page, arena, &explanation->moves[i], n_like);
	}
}

static void print_layout(const struct page *page)
{
	print_place(page);
	for (size_t i = 0; i < page->explanation->n_lines; i++)
		print_line(page, &page->explanation->lines[i]);
}

static void print_heading(struct rs_builder *out, const struct rs_record_result *record,
			  const struct rs_explained *explained, const struct rs_report_options *options)
{
	const struct rs_member *member = &record->record->members[explained->now.member];

	rs_builder_appendc(out, '\n');
	rs_style_begin(out, options->color, RS_STYLE_HEADING);
	rs_builder_appends(out, "explained: ");
	rs_columns_append(out, explained->name);
	rs_style_end(out, options->color, RS_STYLE_HEADING);
	rs_builder_appends(out, ", ");
	if (member->is_bitfield)
		rs_format_count(out, member->size_bits, "bit");
	else
		rs_format_count(out, member->size_bits / 8, "byte");
	if (record->binding)
		rs_builder_printf(out, ", reads %.6g, writes %.6g%s",
				  record->binding->heat[explained->now.member].reads,
				  record->binding->heat[explained->now.member].writes,
				  record->binding->heat[explained->now.member].is_atomic ? " (atomic)" : "");
	rs_builder_appendc(out, '\n');
}

static void print_explained(struct rs_builder *out, const struct rs_result *result,
			    const struct rs_record_result *record, const struct rs_explained *explained,
			    const struct rs_report_options *options)
{
	struct page page = { .out = out,
			     .of = record,
			     .explanation = &explained->now,
			     .plan = record->original.plan,
			     .options = options };

	print_heading(out, record, explained, options);
	print_layout(&page);
	if (explained->plan) {
		page.of = explained->plan->base ? explained->plan->base : record;
		page.explanation = &explained->then;
		page.plan = explained->plan->plan;
		print_layout(&page);
	}
	if (record->verdict != RS_VERDICT_REFUSED)
		print_moves(&page);
	rs_panel_print_held(out, result, record, explained->held, explained->n_held);
}

void rs_explain_print(struct rs_builder *out, const struct rs_result *result,
		      const struct rs_record_result *record, const struct rs_report_options *options)
{
	for (size_t i = 0; i < record->n_explanations; i++)
		print_explained(out, result, record, &record->explanations[i], options);
}
