#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/command.h"

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_-./:=,+@%", c));
}

/* As a shell reads it. */
static const char *quote(struct rs_arena *arena, const char *word)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const char *at = word;

	while (is_plain(*at))
		at++;
	if (*word && !*at)
		return rs_arena_strdup(arena, word);
	rs_builder_appendc(&text, '\'');
	for (at = word; *at; at++) {
		if (*at == '\'')
			rs_builder_appends(&text, "'\\''");
		else
			rs_builder_appendc(&text, *at);
	}
	rs_builder_appendc(&text, '\'');
	return rs_arena_strdup(arena, text.data);
}

void rs_command_mail(struct rs_arena *arena, const struct rs_options *options,
		     struct restruct_mail_options *ret_mail)
{
	const char **words = rs_arena_array(arena, const char *, options->n_words + 1);

	for (size_t i = 0; i < options->n_words; i++)
		words[i] = quote(arena, options->words[i]);
	*ret_mail = (struct restruct_mail_options) { .subject = options->subject,
						     .fixes = options->fixes,
						     .links = options->links.items,
						     .n_links = options->links.n_items,
						     .words = words,
						     .n_words = options->n_words,
						     .sign_off = options->sign_off };
}

/* --- a folder of mails --- */

/* "[PATCH 1/2] a: b" becomes "a-b": letters, digits, dots and underscores, everything else one dash. */
static void print_name(struct rs_builder *out, const char *mail)
{
	enum { NAME_BYTES = 52 };
	const char *subject = strstr(mail, "\nSubject: ");
	const char *at = subject ? strchr(subject, ']') : NULL;
	size_t start = out->length;
	bool dash = false;

	for (at = at ? at + 1 : ""; *at && *at != '\n' && out->length - start < NAME_BYTES; at++) {
		bool keeps = is_plain(*at) && !strchr("-/:=,+@%", *at);

		if (keeps && dash && out->length > start)
			rs_builder_appendc(out, '-');
		if (keeps)
			rs_builder_appendc(out, *at);
		dash = !keeps;
	}
}

static struct rs_error *write_mail(struct rs_arena *arena, const char *folder, size_t number, const char *mail,
				   size_t length)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder path = { 0 };

	rs_builder_printf(&path, "%s/%04zu-", folder, number);
	if (number == 0)
		rs_builder_appends(&path, "cover-letter");
	else
		print_name(&path, rs_arena_strndup(arena, mail, length));
	rs_builder_appends(&path, ".patch");
	return rs_file_write(path.data, mail, length);
}

/* No other line of a mail starts so: those of diffs have a column of their own in front. */
static const char *next_mail(const char *at, const char *end)
{
	static const char start[] = "\nFrom 0000000000000000000000000000000000000000 ";
	const char *next = (const char *)memmem(at, (size_t)(end - at), start, sizeof start - 1);

	return next ? next + 1 : end;
}

struct rs_error *rs_command_write_mails(struct rs_arena *arena, const char *folder, const char *text,
					size_t length)
{
	const char *end = text + length, *next;
	size_t number = next_mail(text, end) != end ? 0 : 1; /* a single patch has no cover letter */

	for (const char *at = text; at < end; at = next, number++) {
		next = next_mail(at, end);
		RS_TRY(write_mail(arena, folder, number, at, (size_t)(next - at)));
	}
	return NULL;
}
