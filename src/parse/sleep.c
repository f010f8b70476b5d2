#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "parse/attempt.h"
#include "parse/tu_internal.h"

bool rs_tu_is_asleep(const struct rs_tu *tu)
{
	return !tu->unit;
}

/* Of all texts, in the order of reading. */
static uint64_t content_of(const struct rs_tu *tu)
{
	uint64_t hashes[2] = { 0 };

	for (size_t i = 0; i < tu->inclusions.n_items; i++) {
		size_t size = 0;
		const char *text = clang_getFileContents(tu->unit, tu->inclusions.items[i].file, &size);

		hashes[1] = text ? rs_hash_bytes(text, size) : 0;
		hashes[0] = rs_hash_bytes(hashes, sizeof hashes);
	}
	return hashes[0];
}

/* Texts that are not saved may belong to files that are not there. */
static void remember_buffers(struct rs_tu *tu)
{
	const struct rs_parse_options *options = &tu->parser->options;

	tu->buffers = rs_arena_array(tu->arena, const char *, options->n_buffers);
	tu->n_buffers = 0;
	for (size_t i = 0; i < options->n_buffers; i++)
		if (rs_tu_file(tu, options->buffers[i].path))
			tu->buffers[tu->n_buffers++] = options->buffers[i].path;
}

static void close_unit(struct rs_tu *tu)
{
	clang_disposeTranslationUnit(tu->unit);
	rs_arena_destroy(tu->awake);
	tu->unit = NULL;
	tu->awake = NULL;
	tu->inclusions = (struct rs_inclusions) { 0 };
	tu->requested_file = NULL;
	tu->tops = NULL;
}

void rs_tu_sleep(struct rs_tu *tu)
{
	if (rs_tu_is_asleep(tu))
		return;
	if (!tu->has_slept) {
		rs_tu_remember(tu, tu->arena, &tu->reading);
		remember_buffers(tu);
		tu->content = content_of(tu);
		tu->has_slept = true;
	}
	close_unit(tu);
}

struct rs_error *rs_tu_wake(struct rs_tu *tu)
{
	if (!rs_tu_is_asleep(tu))
		return NULL;
	RS_TRY(rs_attempt_repeat(tu));
	if (content_of(tu) == tu->content)
		return NULL;
	close_unit(tu);
	return rs_error_create(RS_ERROR_CHANGED, rs_tu_shown_main_file(tu), 0, 0,
			       "the file, or one that it includes, changed meanwhile");
}

static bool was_buffer(const struct rs_tu *tu, const char *path)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	const char *canonical = rs_path_canonical(scratch, path);

	for (size_t i = 0; i < tu->n_buffers; i++)
		if (strcmp(tu->buffers[i], canonical) == 0)
			return true;
	return false;
}

bool rs_tu_reads(const struct rs_tu *tu, const char *path)
{
	struct stat status;

	if (!rs_tu_is_asleep(tu))
		return rs_tu_file(tu, path) != NULL;
	if (stat(path, &status) != 0)
		return was_buffer(tu, path);
	return rs_tu_reading_has(&tu->reading, path);
}
