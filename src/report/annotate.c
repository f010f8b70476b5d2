#include "report/annotate.h"

#include <inttypes.h>
#include <string.h>

#include "report/cells.h"
#include "report/columns.h"
#include "report/declaration.h"
#include "report/format.h"
#include "report/style.h"

enum { TYPE_COLUMNS = 26, COMMENT_COLUMN = 49, TAB = 8, PATHS_SHOWN = 4 };

struct printer {
	struct rs_builder *out;
	struct rs_arena *arena;
	const struct rs_view *view;
	const struct rs_report_options *options;
	uint64_t line; /* the last whose start was shown */
	size_t line_columns, read_columns, write_columns;
	const size_t *first_path; /* paths of member i: paths[first_path[i]] up to first_path[i + 1] */
	const size_t *paths;
};

static bool is_used(const struct printer *printer, size_t member)
{
	const struct rs_binding *binding = printer->view->result->binding;

	return binding && (binding->heat[member].reads > 0 || binding->heat[member].writes > 0);
}

static void print_line_name(const struct printer *printer, struct rs_builder *out, size_t member)
{
	uint64_t first = rs_view_first_line(printer->view, member),
		 last = rs_view_last_line(printer->view, member);

	rs_builder_printf(out, "L%" PRIu64, first);
	if (last > first)
		rs_builder_printf(out, "-%" PRIu64, last);
}

static void print_rate(struct rs_builder *out, char mark, double rate)
{
	if (rate <= 0)
		return;
	rs_builder_appendc(out, mark);
	rs_format_rate(out, rate);
}

static size_t wider(struct rs_builder *scratch, size_t columns)
{
	size_t width = scratch->length > columns ? scratch->length : columns;

	scratch->length = 0;
	return width;
}

static void measure(struct printer *printer)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_binding *binding = printer->view->result->binding;

	for (size_t i = 0; i < printer->view->record->n_members; i++) {
		print_line_name(printer, &text, i);
		printer->line_columns = wider(&text, printer->line_columns);
		if (!binding)
			continue;
		print_rate(&text, 'R', binding->heat[i].reads);
		printer->read_columns = wider(&text, printer->read_columns);
		print_rate(&text, 'W', binding->heat[i].writes);
		printer->write_columns = wider(&text, printer->write_columns);
	}
}

/* Turns "which members does a path use" round, in one pass to count and one to fill. */
static void index_paths(struct printer *printer)
{
	const struct rs_binding *binding = printer->view->result->binding;
	size_t n_members = printer->view->record->n_members, total = 0;
	size_t *first = rs_arena_array(printer->arena, size_t, n_members + 2);

	for (size_t p = 0; binding && p < binding->n_paths; p++)
		for (size_t i = 0; i < binding->paths[p].n_accesses; i++, total++)
			first[binding->paths[p].accesses[i].member + 2]++;
	for (size_t i = 2; i < n_members + 2; i++)
		first[i] += first[i - 1];
	size_t *paths = rs_arena_array(printer->arena, size_t, total);
	for (size_t p = 0; binding && p < binding->n_paths; p++)
		for (size_t i = 0; i < binding->paths[p].n_accesses; i++)
			paths[first[binding->paths[p].accesses[i].member + 1]++] = p;
	printer->first_path = first;
	printer->paths = paths;
}

static void print_paths(struct printer *printer, size_t member)
{
	const struct rs_binding *binding = printer->view->result->binding;
	size_t first = printer->first_path[member], count = printer->first_path[member + 1] - first;
	size_t shown = count > PATHS_SHOWN && !printer->options->verbose ? PATHS_SHOWN : count;

	for (size_t i = 0; i < shown; i++) {
		const char *name = binding->paths[printer->paths[first + i]].name;

		rs_builder_appends(printer->out, i ? ", " : "  ");
		rs_columns_append(printer->out, name ? name : "(unnamed)");
	}
	if (shown < count)
		rs_builder_printf(printer->out, " +%zu", count - shown);
}

/* "  L0  R100  A20  %  lookup, put" */
static void print_heat(struct printer *printer, size_t member)
{
	static const enum rs_style styles[] = { RS_STYLE_COLD, RS_STYLE_READ, RS_STYLE_WRITE, RS_STYLE_BOTH };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_member_heat *heat = &printer->view->result->binding->heat[member];
	unsigned uses = printer->view->uses[member];
	enum rs_style style = styles[uses & (RS_USE_READ | RS_USE_WRITE)];

	print_rate(&text, 'R', heat->reads);
	rs_builder_pad(&text, ' ', printer->read_columns - text.length + 2);
	print_rate(&text, heat->is_atomic ? 'A' : 'W', heat->writes);
	rs_builder_pad(&text, ' ', printer->read_columns + 2 + printer->write_columns - text.length);
	rs_builder_appends(printer->out, "  ");
	rs_style_begin(printer->out, printer->options->color, style);
	rs_builder_append(printer->out, text.data, text.length);
	rs_builder_printf(printer->out, "  %c", rs_cells_glyph(uses));
	rs_style_end(printer->out, printer->options->color, style);
	print_paths(printer, member);
}

static void print_extra(struct printer *printer, size_t member)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder line = { 0 };

	rs_builder_appends(printer->out, "  /* ");
	print_line_name(printer, &line, member);
	rs_columns_pad(printer->out, line.data, is_used(printer, member) ? printer->line_columns : 0);
	if (is_used(printer, member))
		print_heat(printer, member);
	rs_builder_appends(printer->out, " */\n");
}

static void indent(struct printer *printer, size_t depth)
{
	rs_builder_pad(printer->out, '\t', depth + 1);
}

/* A bit-field is placed as pahole places it: storage unit, bit in it, size of the unit. */
static void print_place(struct printer *printer, size_t member)
{
	const struct rs_member *m = &printer->view->record->members[member];
	uint64_t offset_bits = printer->view->offset_bits[member];
	uint64_t unit_bits = m->type_size_bytes ? m->type_size_bytes * UINT64_C(8) : 8;
	bool hex = printer->options->hex;

	rs_builder_appends(printer->out, "/* ");
	if (m->is_bitfield) {
		rs_format_bytes(printer->out, hex, 5, offset_bits / unit_bits * (unit_bits / 8));
		rs_builder_appendc(printer->out, ':');
		rs_format_bytes(printer->out, hex, 2, offset_bits % unit_bits);
		rs_builder_appendc(printer->out, ' ');
		rs_format_bytes(printer->out, hex, 2, unit_bits / 8);
	} else {
		rs_format_bytes(printer->out, hex, 5, offset_bits / 8);
		rs_builder_appendc(printer->out, ' ');
		rs_format_bytes(printer->out, hex, 5, m->size_bits / 8);
	}
	rs_builder_appends(printer->out, " */");
}

/* text, a blank at least, and both comments in their column */
static void print_with_comments(struct printer *printer, const char *text, size_t depth, size_t member)
{
	size_t column = COMMENT_COLUMN > depth * TAB ? COMMENT_COLUMN - depth * TAB : 0;

	rs_columns_pad(printer->out, text, column - (column > 0));
	rs_builder_appendc(printer->out, ' ');
	print_place(printer, member);
	print_extra(printer, member);
}

static void print_plain(struct printer *printer, size_t depth, size_t member)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_member *m = &printer->view->record->members[member];
	struct rs_declaration split = rs_declaration_split(printer->arena, m);
	size_t column = TYPE_COLUMNS > depth * TAB ? TYPE_COLUMNS - depth * TAB : 0;

	if (m->is_bitfield && m->size_bits == 0) {
		indent(printer, depth);
		rs_columns_pad(printer->out, split.type, column);
		rs_builder_appends(printer->out, " :0;\n");
		return;
	}
	rs_columns_pad(&text, split.type, column);
	rs_builder_appendc(&text, ' ');
	rs_columns_append(&text, split.declarator);
	rs_builder_appendc(&text, ';');
	indent(printer, depth);
	print_with_comments(printer, text.data, depth, member);
}

static void print_hole(struct printer *printer, size_t depth, uint64_t count, const char *noun)
{
	if (count == 0)
		return;
	indent(printer, depth);
	rs_builder_printf(printer->out, "/* XXX %" PRIu64 " %s%s hole, try to pack */\n", count, noun,
			  count == 1 ? "" : "s");
}

/* What is left of a byte, then whole bytes: the same cut as rs_layout_holes(). */
static void print_gap(struct printer *printer, size_t depth, uint64_t from_bits, uint64_t to_bits)
{
	uint64_t byte = (from_bits + 7) / 8 * 8;

	if (to_bits <= from_bits)
		return;
	if (byte > to_bits)
		byte = to_bits;
	rs_builder_appendc(printer->out, '\n');
	print_hole(printer, depth, byte - from_bits, "bit");
	print_hole(printer, depth, (to_bits - byte) / 8, "byte");
	rs_builder_appendc(printer->out, '\n');
}

static void print_boundary(struct printer *printer, size_t depth, uint64_t byte)
{
	const struct rs_view *view = printer->view;
	uint64_t line = (view->base_bytes + byte) / view->line_bytes;
	uint64_t boundary = line * view->line_bytes - view->base_bytes;

	if (line <= printer->line)
		return;
	printer->line = line;
	indent(printer, depth);
	rs_builder_printf(printer->out, "/* --- cacheline %" PRIu64 " boundary (", line);
	rs_format_bytes(printer->out, printer->options->hex, 0, boundary);
	rs_builder_appends(printer->out, " bytes) ");
	if (boundary < byte) {
		rs_builder_appends(printer->out, "was ");
		rs_format_bytes(printer->out, printer->options->hex, 0, byte - boundary);
		rs_builder_appends(printer->out, " bytes ago ");
	}
	rs_builder_appends(printer->out, "--- */\n");
}

/* Whether the members are spelled here: those of a struct that is defined elsewhere have their parent's place.
 */
static bool is_spelled_here(const struct rs_record *record, size_t member)
{
	return record->members[member + 1].byte != record->members[member].byte;
}

static bool shows_inside(const struct printer *printer, size_t member)
{
	const struct rs_record *record = printer->view->record;
	const struct rs_member *m = &record->members[member];

	if (m->n_inside == 0)
		return m->is_anonymous;
	if (m->is_anonymous || printer->options->verbose || is_spelled_here(record, member))
		return true;
	for (size_t i = member + 1; i <= member + m->n_inside; i++)
		if (is_used(printer, i))
			return true;
	return false;
}

static void print_member(struct printer *printer, size_t depth, size_t member);

static void print_inside(struct printer *printer, size_t depth, size_t member)
{
	const struct rs_record *record = printer->view->record;
	const struct rs_member *members = record->members;
	uint64_t end_bits = printer->view->offset_bits[member];

	for (size_t i = member + 1; i <= member + members[member].n_inside; i += 1 + members[i].n_inside) {
		uint64_t offset_bits = printer->view->offset_bits[i];

		if (!members[member].is_union)
			print_gap(printer, depth, end_bits, offset_bits);
		print_member(printer, depth, i);
		end_bits = offset_bits + members[i].size_bits;
	}
}

static void print_aggregate(struct printer *printer, size_t depth, size_t member)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_member *m = &printer->view->record->members[member];
	struct rs_declaration split = rs_declaration_split(printer->arena, m);

	indent(printer, depth);
	rs_columns_append(printer->out, split.type);
	rs_builder_appends(printer->out, " {\n");
	print_inside(printer, depth + 1, member);
	rs_builder_appends(&text, "}");
	rs_builder_appends(&text, split.declarator[0] ? " " : "");
	rs_columns_append(&text, split.declarator);
	rs_builder_appendc(&text, ';');
	indent(printer, depth);
	print_with_comments(printer, text.data, depth, member);
}

static void print_member(struct printer *printer, size_t depth, size_t member)
{
	print_boundary(printer, depth, printer->view->offset_bits[member] / 8);
	if (shows_inside(printer, member))
		print_aggregate(printer, depth, member);
	else
		print_plain(printer, depth, member);
}

/* Sums as pahole shows them. */
struct sums {
	uint64_t n_members, member_bytes, n_bitfields, bitfield_bits;
	uint64_t n_holes, hole_bytes, n_bit_holes, bit_hole_bits;
	uint64_t padding_bytes, padding_bits;
};

static struct sums sum_up(const struct rs_view *view)
{
	struct sums sums = { 0 };
	uint64_t end_bits = 0;

	for (size_t i = 0; i < view->n_top; i++) {
		const struct rs_member *m = &view->record->members[view->top[i]];
		uint64_t end = view->offset_bits[view->top[i]] + m->size_bits;

		sums.n_members += !(m->is_bitfield && m->size_bits == 0);
		sums.n_bitfields += m->is_bitfield;
		sums.bitfield_bits += m->is_bitfield ? m->size_bits : 0;
		sums.member_bytes += m->is_bitfield ? 0 : m->size_bits / 8;
		end_bits = end > end_bits ? end : end_bits;
	}
	for (size_t i = 0; i < view->n_holes; i++) {
		uint64_t size_bits = view->holes[i].size_bits;
		bool is_tail = view->holes[i].offset_bits >= end_bits, is_bits = size_bits % 8 != 0;

		sums.padding_bits += is_tail && is_bits ? size_bits : 0;
		sums.padding_bytes += is_tail && !is_bits ? size_bits / 8 : 0;
		sums.n_bit_holes += !is_tail && is_bits;
		sums.bit_hole_bits += !is_tail && is_bits ? size_bits : 0;
		sums.n_holes += !is_tail && !is_bits;
		sums.hole_bytes += !is_tail && !is_bits ? size_bits / 8 : 0;
	}
	return sums;
}

static void print_size(struct printer *printer, const char *before, uint64_t bytes, const char *after)
{
	rs_builder_appends(printer->out, before);
	rs_format_bytes(printer->out, printer->options->hex, 0, bytes);
	rs_builder_appends(printer->out, after);
}

static void print_sums(struct printer *printer)
{
	const struct rs_view *view = printer->view;
	struct sums sums = sum_up(view);
	uint64_t last = (view->base_bytes + view->size_bytes) % view->line_bytes;

	print_size(printer, "\n\t/* size: ", view->size_bytes, "");
	rs_builder_printf(printer->out, ", cachelines: %" PRIu64 ", members: %" PRIu64 " */\n",
			  rs_view_count_lines(view), sums.n_members);
	if (sums.n_holes) {
		print_size(printer, "\t/* sum members: ", sums.member_bytes, "");
		rs_builder_printf(printer->out, ", holes: %" PRIu64, sums.n_holes);
		print_size(printer, ", sum holes: ", sums.hole_bytes, " */\n");
	}
	if (sums.n_bitfields) {
		rs_builder_printf(printer->out, "\t/* sum bitfield members: %" PRIu64 " bits",
				  sums.bitfield_bits);
		if (sums.n_bit_holes)
			rs_builder_printf(printer->out,
					  ", bit holes: %" PRIu64 ", sum bit holes: %" PRIu64 " bits",
					  sums.n_bit_holes, sums.bit_hole_bits);
		rs_builder_appends(printer->out, " */\n");
	}
	if (sums.padding_bytes)
		print_size(printer, "\t/* padding: ", sums.padding_bytes, " */\n");
	if (sums.padding_bits)
		rs_builder_printf(printer->out, "\t/* bit_padding: %" PRIu64 " bits */\n", sums.padding_bits);
	if (last)
		print_size(printer, "\t/* last cacheline: ", last, " bytes */\n");
}

static void print_opening(struct printer *printer, const struct rs_result *result)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_record *record = printer->view->record;

	rs_builder_appends(&text, record->is_typedef ? "typedef struct" : "struct ");
	rs_builder_appends(&text, record->is_typedef ? "" : record->name);
	rs_builder_appends(&text, " {");
	rs_style_begin(printer->out, printer->options->color, RS_STYLE_HEADING);
	rs_columns_pad(printer->out, text.data, COMMENT_COLUMN + TAB - 1);
	rs_style_end(printer->out, printer->options->color, RS_STYLE_HEADING);
	rs_builder_appends(printer->out, " /* ");
	rs_columns_append(printer->out, rs_view_source_path(result, record->source));
	rs_builder_printf(printer->out, ":%u */\n",
			  rs_source_position(record->source, record->span.start).line);
}

static void print_body(struct printer *printer)
{
	const struct rs_view *view = printer->view;
	uint64_t end_bits = 0;

	for (size_t i = 0; i < view->n_top; i++) {
		size_t member = view->top[i];
		uint64_t offset_bits = view->offset_bits[member];

		print_gap(printer, 0, end_bits, offset_bits);
		print_member(printer, 0, member);
		end_bits = offset_bits + view->record->members[member].size_bits;
	}
}

void rs_annotate_print(struct rs_builder *out, struct rs_arena *arena, const struct rs_result *result,
		       const struct rs_view *view, const struct rs_report_options *options)
{
	struct printer printer = { .out = out, .arena = arena, .view = view, .options = options };

	measure(&printer);
	index_paths(&printer);
	print_opening(&printer, result);
	print_body(&printer);
	print_sums(&printer);
	rs_builder_appends(out, "}");
	if (view->record->is_typedef) {
		rs_builder_appendc(out, ' ');
		rs_columns_append(out, view->record->name);
	}
	rs_builder_appends(out, ";\n");
}
