#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "report/columns.h"
#include "report/format.h"
#include "report/mail.h"
#include "report/profile.h"
#include "report/writers.h"
#include "text/patch.h"

enum {
	CONTEXT_LINES = 3,
	REGULAR_FILE = 0100644,
	STAT_NAME_COLUMNS = 50,
	STAT_COLUMNS = 72,
	HEADER_COLUMNS = 60, /* of a header line's text before it is folded */
};

/* A set of files as they change from one state to the next, and the records that this is about. */
struct mail {
	const struct rs_result *result;
	const struct rs_mail_options *options;
	const struct rs_file_result *files;
	size_t n_files;
	const size_t *records; /* indices, those with a pick only */
	size_t n_records;
	size_t number, count; /* of a series; 1 of 1 has no numbers */
};

/* --- headers --- */

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 0x7f || (unsigned char)*text < 0x20)
			return false;
	return true;
}

/* RFC 2047, as git writes it. */
static void print_encoded(struct rs_builder *out, const char *text)
{
	rs_builder_appends(out, "=?UTF-8?q?");
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == ' ')
			rs_builder_appends(out, "=20");
		else if (byte > 0x20 && byte < 0x7f && !strchr("=?_\"(),.:;<>@[\\]", byte))
			rs_builder_appendc(out, (char)byte);
		else
			rs_builder_printf(out, "=%02X", byte);
	}
	rs_builder_appends(out, "?=");
}

static void print_header_text(struct rs_builder *out, const char *text)
{
	if (is_ascii(text))
		rs_builder_appends(out, text);
	else
		print_encoded(out, text);
}

static void print_author(struct rs_builder *out, const struct rs_mail_options *options)
{
	rs_builder_appends(out, "From: ");
	if (is_ascii(options->author_name) && strpbrk(options->author_name, "\"(),.:;<>@[\\]"))
		rs_builder_printf(out, "\"%s\"", options->author_name);
	else
		print_header_text(out, options->author_name);
	rs_builder_printf(out, " <%s>\n", options->author_email);
}

/* In UTC and in English, whatever the locale is. */
static void print_date(struct rs_builder *out, int64_t seconds)
{
	static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t when = (time_t)seconds;
	struct tm at;

	if (!gmtime_r(&when, &at))
		return;
	rs_builder_printf(out, "Date: %.3s, %d %.3s %d %02d:%02d:%02d +0000\n", &days[3 * at.tm_wday],
			  at.tm_mday, &months[3 * at.tm_mon], at.tm_year + 1900, at.tm_hour, at.tm_min,
			  at.tm_sec);
}

static void print_subject(struct rs_builder *out, const struct mail *mail, const char *subject)
{
	rs_builder_appends(out, "Subject: [PATCH");
	if (mail->count > 1)
		rs_builder_printf(out, " %zu/%zu", mail->number, mail->count);
	rs_builder_appends(out, "] ");
	print_header_text(out, subject);
	rs_builder_appendc(out, '\n');
}

static void print_headers(struct rs_builder *out, const struct mail *mail, const char *subject, bool has_utf8)
{
	/* The date is git's own for mails that no mailbox holds yet. */
	rs_builder_appends(out, "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n");
	print_author(out, mail->options);
	print_date(out, mail->options->date);
	print_subject(out, mail, subject);
	if (has_utf8)
		rs_builder_appends(out, "MIME-Version: 1.0\n"
					"Content-Type: text/plain; charset=UTF-8\n"
					"Content-Transfer-Encoding: 8bit\n");
	rs_builder_appendc(out, '\n');
}

/* --- what changes --- */

static const char *shown_path(const struct mail *mail, const struct rs_file_result *file)
{
	return rs_view_source_path(mail->result, file->source);
}

static const char *old_text(const struct rs_file_result *file, size_t *ret_size)
{
	*ret_size = file->old_text ? file->old_size : file->source->size;
	return file->old_text ? file->old_text : file->source->text;
}

static bool has_crlf(const struct mail *mail)
{
	for (size_t i = 0; i < mail->n_files; i++) {
		size_t size;
		const char *text = old_text(&mail->files[i], &size);

		if (mail->files[i].new_text && memmem(text, size, "\r\n", 2))
			return true;
	}
	return false;
}

static void print_graph(struct rs_builder *out, size_t added, size_t removed, size_t largest, size_t columns)
{
	size_t total = added + removed, width = total;

	if (largest > columns)
		width = total * columns / largest > 0 ? total * columns / largest : 1;
	size_t plus = total ? (added * width + total / 2) / total : 0;
	rs_builder_pad(out, '+', plus);
	rs_builder_pad(out, '-', width - plus);
}

static void print_stat_total(struct rs_builder *out, size_t files, size_t added, size_t removed)
{
	rs_builder_printf(out, " %zu file%s changed", files, files == 1 ? "" : "s");
	if (added > 0)
		rs_builder_printf(out, ", %zu insertion%s(+)", added, added == 1 ? "" : "s");
	if (removed > 0)
		rs_builder_printf(out, ", %zu deletion%s(-)", removed, removed == 1 ? "" : "s");
	rs_builder_appendc(out, '\n');
}

struct stat_row {
	const char *path;
	size_t added, removed;
};

static struct rs_error *count_row(const struct mail *mail, const struct rs_file_result *file,
				  struct stat_row *row)
{
	size_t size;
	const char *text = old_text(file, &size);

	row->path = shown_path(mail, file);
	return rs_patch_count(text, size, file->new_text, file->new_size, &row->added, &row->removed);
}

static int count_digits(size_t number)
{
	int digits = 1;

	for (; number >= 10; number /= 10)
		digits++;
	return digits;
}

static void print_row(struct rs_builder *out, const struct stat_row *row, size_t name_columns, size_t largest)
{
	int digits = count_digits(largest);
	size_t length = strlen(row->path);
	const char *name = row->path;

	rs_builder_appendc(out, ' ');
	if (length > name_columns) {
		name += length - (name_columns - 3);
		rs_builder_appends(out, "...");
		length = name_columns;
	}
	rs_builder_appends(out, name);
	rs_builder_pad(out, ' ', name_columns - length);
	rs_builder_printf(out, " | %*zu ", digits, row->added + row->removed);
	print_graph(out, row->added, row->removed, largest, STAT_COLUMNS - name_columns - 5 - (size_t)digits);
	rs_builder_appendc(out, '\n');
}

static struct rs_error *print_stat(struct rs_builder *out, struct rs_arena *arena, const struct mail *mail)
{
	struct stat_row *rows = rs_arena_array(arena, struct stat_row, mail->n_files);
	size_t n_rows = 0, added = 0, removed = 0, columns = 0, largest = 0;

	for (size_t i = 0; i < mail->n_files; i++) {
		if (!mail->files[i].new_text)
			continue;
		struct stat_row *row = &rows[n_rows++];
		RS_TRY(count_row(mail, &mail->files[i], row));
		added += row->added;
		removed += row->removed;
		columns = strlen(row->path) > columns ? strlen(row->path) : columns;
		largest = row->added + row->removed > largest ? row->added + row->removed : largest;
	}
	columns = columns > STAT_NAME_COLUMNS ? STAT_NAME_COLUMNS : columns;
	for (size_t i = 0; i < n_rows; i++)
		print_row(out, &rows[i], columns, largest);
	print_stat_total(out, n_rows, added, removed);
	return NULL;
}

static struct rs_error *print_diffs(struct rs_builder *out, const struct mail *mail)
{
	for (size_t i = 0; i < mail->n_files; i++) {
		const struct rs_file_result *file = &mail->files[i];
		size_t size;
		const char *text = old_text(file, &size);

		if (file->new_text)
			RS_TRY(rs_patch_print(out, shown_path(mail, file),
					      file->mode ? file->mode : REGULAR_FILE, text, size,
					      file->new_text, file->new_size, CONTEXT_LINES));
	}
	return NULL;
}

/* --- the message --- */

static void init_views(struct rs_arena *arena, const struct mail *mail, size_t index, struct rs_view *before,
		       struct rs_view *after)
{
	const struct rs_record_result *record = &mail->result->records[index];
	const struct rs_plan_result *pick = &record->plans[record->pick];
	const struct rs_record_result *stood = pick->base ? pick->base : record;

	rs_view_init(before, arena, stood, &stood->original, mail->result->line_bytes);
	rs_view_init(after, arena, record, pick, mail->result->line_bytes);
}

/* "inetpeer: ", after the file, as most trees name what a patch is about. */
static void print_prefix(struct rs_builder *out, const char *path)
{
	const char *base = rs_path_basename(path);
	const char *dot = strrchr(base, '.');
	int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);

	if (length > 0 && length <= RS_MAIL_SUBJECT_COLUMNS / 3)
		rs_builder_printf(out, "%.*s: ", length, base);
}

static void make_subject(struct rs_builder *out, struct rs_arena *arena, const struct mail *mail)
{
	struct rs_view before, after;
	struct rs_mail_reason reason;

	if (mail->options->subject) {
		rs_builder_appends(out, mail->options->subject);
		return;
	}
	init_views(arena, mail, mail->records[0], &before, &after);
	rs_mail_find_reason(arena, &before, &after, &reason);
	print_prefix(out, before.record->source->path);
	if (mail->n_records > 1)
		rs_builder_printf(out, "reorder the fields of %zu structs", mail->n_records);
	else
		rs_mail_print_summary(out, &before, &after, &reason, out->length);
}

static void print_initializers(struct rs_builder *out, const struct mail *mail,
			       const struct rs_plan_result *plan)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	for (size_t i = 0; i < plan->n_changes; i++) {
		const struct rs_file_change *change = &plan->changes[i];

		if (change->n_initializers == 0)
			continue;
		rs_builder_appends(&text, text.length == 0 ? "Initialisers that follow: " : ", ");
		rs_builder_printf(&text, "%zu in %s", change->n_initializers,
				  rs_view_source_path(mail->result, change->source));
	}
	if (text.length == 0)
		return;
	rs_builder_appendc(&text, '.');
	rs_builder_appendc(out, '\n');
	rs_columns_wrap(out, text.data, 2, RS_MAIL_COLUMNS);
}

static void print_source(struct rs_builder *out, const struct rs_profile_source *source, bool is_first)
{
	rs_builder_appends(out, is_first ? "Profile: " : "; ");
	rs_builder_appends(out, source->tool ? source->tool : "by hand");
	if (source->version)
		rs_builder_printf(out, " %s", source->version);
	if (source->file)
		rs_builder_printf(out, ", %s", source->file);
	if (source->date)
		rs_builder_printf(out, ", %s", source->date);
	rs_builder_printf(out, " (%s)", source->trust ? source->trust : "trust not stated");
}

static void print_sources(struct rs_builder *out, const struct rs_record_result *record)
{
	const struct rs_binding *binding = record->binding;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	if (!binding)
		rs_builder_appends(&text, "No profile: bytes alone were looked at");
	else if (binding->n_sources == 0)
		rs_builder_appends(&text, "Profile: written by hand, it names no source");
	for (size_t i = 0; binding && i < binding->n_sources; i++)
		print_source(&text, &binding->sources[i], i == 0);
	rs_builder_appendc(&text, '.');
	rs_columns_wrap(out, text.data, 2, RS_MAIL_COLUMNS);
	if (binding)
		rs_report_units(out, binding->sources, binding->n_sources, 2);
}

/* What the sender asked for decides the order, and nobody could tell from the text. */
static void print_asked(struct rs_builder *out, const struct rs_record_result *record)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	for (size_t i = 0; i < record->record->n_pins; i++) {
		const struct rs_pin *pin = &record->record->pins[i];

		if (strcmp(pin->code, "asked") != 0)
			continue;
		rs_builder_appends(&text, text.length ? "; " : "Kept: ");
		rs_builder_appends(&text, pin->message);
	}
	if (text.length == 0)
		return;
	rs_builder_appendc(&text, '.');
	rs_columns_wrap(out, text.data, 2, RS_MAIL_COLUMNS);
}

static void print_record(struct rs_builder *out, struct rs_arena *arena, const struct mail *mail, size_t index)
{
	const struct rs_record_result *record = &mail->result->records[index];
	struct rs_view before, after;
	struct rs_mail_reason reason;

	init_views(arena, mail, index, &before, &after);
	rs_mail_find_reason(arena, &before, &after, &reason);
	rs_mail_print_mechanism(out, &before, &after, &reason);
	rs_builder_appendc(out, '\n');
	rs_mail_print_figures(out, &before, &after, &reason);
	print_initializers(out, mail, &record->plans[record->pick]);
	print_sources(out, record);
	print_asked(out, record);
	rs_builder_appendc(out, '\n');
}

/* The words of the command, wrapped as a shell reads them. */
static void print_command(struct rs_builder *out, const struct mail *mail)
{
	const struct rs_mail_options *options = mail->options;
	size_t column = 4;

	rs_builder_printf(out, "  Found with %s, %s, %u-byte lines:\n    restruct", options->tool,
			  mail->result->triple ? mail->result->triple : "unknown target",
			  mail->result->line_bytes);
	column += strlen("restruct");
	for (size_t i = 0; i < options->n_words; i++) {
		size_t length = rs_columns_measure(options->words[i]);

		if (column + 1 + length > RS_MAIL_COLUMNS - 2) {
			rs_builder_appends(out, " \\\n     ");
			column = 5;
		}
		rs_builder_printf(out, " %s", options->words[i]);
		column += 1 + length;
	}
	rs_builder_appendc(out, '\n');
}

static void print_trailers(struct rs_builder *out, const struct rs_mail_options *options)
{
	if (!options->fixes && options->n_links == 0 && !options->sign_off)
		return;
	rs_builder_appendc(out, '\n');
	if (options->fixes)
		rs_builder_printf(out, "Fixes: %s\n", options->fixes);
	for (size_t i = 0; i < options->n_links; i++)
		rs_builder_printf(out, "Link: %s\n", options->links[i]);
	if (options->sign_off)
		rs_builder_printf(out, "Signed-off-by: %s <%s>\n", options->author_name, options->author_email);
}

static void print_body(struct rs_builder *out, struct rs_arena *arena, const struct mail *mail)
{
	for (size_t i = 0; i < mail->n_records; i++)
		print_record(out, arena, mail, mail->records[i]);
	print_command(out, mail);
	rs_builder_appends(out, "\n[ describe the workload and its numbers here ]\n");
	print_trailers(out, mail->options);
}

static bool has_high_bytes(const struct rs_builder *text)
{
	for (size_t i = 0; i < text->length; i++)
		if ((unsigned char)text->data[i] >= 0x80)
			return true;
	return false;
}

static struct rs_error *print_mail(struct rs_builder *out, const struct mail *mail)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder subject = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder body = { 0 };

	make_subject(&subject, arena, mail);
	print_body(&body, arena, mail);
	rs_builder_appends(&body, "---\n");
	if (has_crlf(mail))
		rs_builder_appends(&body, " (line ends are CRLF: git am --keep-cr)\n");
	RS_TRY(print_stat(&body, arena, mail));
	rs_builder_appendc(&body, '\n');
	RS_TRY(print_diffs(&body, mail));
	rs_builder_printf(&body, "-- \n%s\n\n", mail->options->tool);
	print_headers(out, mail, subject.data, has_high_bytes(&body));
	rs_builder_append(out, body.data, body.length);
	return NULL;
}

/* --- the cover letter --- */

static void print_cover_row(struct rs_builder *out, const struct rs_record_result *record)
{
	const struct rs_plan *before = record->original.plan, *after = record->plans[record->pick].plan;

	rs_builder_appends(out, "  ");
	rs_columns_fit(out, record->record->name, 30);
	rs_builder_printf(out, "  %6" PRIu64 " -> %6" PRIu64, before->size_bytes, after->size_bytes);
	if (record->binding)
		rs_builder_printf(out, "  %10.1f -> %10.1f", before->cost_ns, after->cost_ns);
	rs_builder_appendc(out, '\n');
}

static struct rs_error *print_cover(struct rs_builder *out, const struct mail *mail)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder body = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder subject = { 0 };

	if (mail->options->subject)
		rs_builder_appends(&subject, mail->options->subject);
	else
		rs_builder_printf(&subject, "reorder the fields of %zu structs", mail->n_records);
	rs_builder_appends(&body, "[ describe the workload and its numbers here ]\n\n");
	rs_builder_appends(&body, "  struct                               bytes              cost, ns\n");
	for (size_t i = 0; i < mail->n_records; i++)
		print_cover_row(&body, &mail->result->records[mail->records[i]]);
	rs_builder_appendc(&body, '\n');
	print_command(&body, mail);
	rs_builder_appendc(&body, '\n');
	RS_TRY(print_stat(&body, arena, mail));
	rs_builder_printf(&body, "\n-- \n%s\n\n", mail->options->tool);
	print_headers(out, mail, subject.data, has_high_bytes(&body));
	rs_builder_append(out, body.data, body.length);
	return NULL;
}

static struct rs_error *print_series(struct rs_builder *out, struct mail *mail)
{
	const struct rs_result *result = mail->result;

	mail->count = result->n_steps;
	if (mail->count > 1)
		RS_TRY(print_cover(out, mail));
	for (size_t i = 0; i < result->n_steps; i++) {
		const struct rs_series_step *step = &result->steps[i];

		mail->number = i + 1;
		mail->files = step->files;
		mail->n_files = step->n_files;
		mail->records = &step->record;
		mail->n_records = 1;
		RS_TRY(print_mail(out, mail));
	}
	return NULL;
}

struct rs_error *rs_report_write_mbox(struct rs_builder *out, const struct rs_result *result,
				      const struct rs_report_options *options)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	size_t *records = rs_arena_array(arena, size_t, result->n_records);
	struct mail mail = { .result = result,
			     .options = options->mail,
			     .files = result->files,
			     .n_files = result->n_files,
			     .records = records,
			     .count = 1 };

	for (size_t i = 0; i < result->n_records; i++)
		if (result->records[i].pick != RS_NONE)
			records[mail.n_records++] = i;
	if (mail.n_records == 0)
		return NULL;
	return result->n_steps > 0 ? print_series(out, &mail) : print_mail(out, &mail);
}
