/*
 * Any bytes through the importers. The first byte chooses the format, 255 - n lets it be found; what is
 * accepted must make a profile that is read again.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/import.h"
#include "profile/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static struct rs_member members[] = {
	{ .name = "next", .path = "next", .parent = RS_NONE, .size_bits = 64 },
	{ .name = "key", .path = "key", .parent = RS_NONE, .offset_bits = 64, .size_bits = 64 },
	{ .name = "stats",
	  .path = "stats",
	  .parent = RS_NONE,
	  .n_inside = 2,
	  .offset_bits = 128,
	  .size_bits = 64,
	  .is_aggregate = true },
	{ .name = "hits", .path = "stats.hits", .parent = 2, .offset_bits = 128, .size_bits = 32 },
	{ .name = "misses", .path = "stats.misses", .parent = 2, .offset_bits = 160, .size_bits = 32 },
	{ .name = "name",
	  .path = "name",
	  .parent = RS_NONE,
	  .offset_bits = 192,
	  .size_bits = 256,
	  .is_array = true,
	  .array_count = 32 },
};

static const struct rs_record record = {
	.name = "peer",
	.size_bytes = 56,
	.align_bytes = 8,
	.members = members,
	.n_members = RS_COUNT_OF(members),
};

static const struct rs_import_site sites[] = {
	{ .file = "/src/peer.c", .line = 6, .member = 1, .reads = true },
	{ .file = "/src/peer.c", .line = 13, .member = 3, .reads = true, .writes = true },
};

static void check_profile(struct rs_arena *arena, const struct rs_profile *profile)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_profile again;

	rs_profile_write(&text, profile);
	/* Sums may be too large, and names that are not UTF-8 may become the same: then the reader says so. */
	RS_CLEANUP(rs_error_destroyp)
	struct rs_error *error = rs_profile_parse(arena, "again", text.data, text.length, &again);
	check(error || again.n_structs == profile->n_structs);
}

static void import(const char *format, const char *text, size_t size, bool with_record)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_record *records[] = { &record };
	const char *names[] = { "peer" };
	struct rs_profile profile;
	struct rs_notes notes;

	rs_notes_init(&notes, arena);
	struct rs_import import = { .arena = arena,
				    .notes = &notes,
				    .path = "fuzz",
				    .text = text,
				    .size = size,
				    .records = records,
				    .n_records = with_record };
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = rs_import_read(&import, format);
	if (error) {
		check(error->message[0] != '\0');
		return;
	}
	rs_import_join(&import, sites, with_record ? RS_COUNT_OF(sites) : 0, false, 0);
	error = rs_import_build(&import, names, with_record, &profile);
	if (!error)
		check_profile(arena, &profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n_formats = 0;

	while (rs_import_formats[n_formats].name)
		n_formats++;
	if (size == 0)
		return 0;
	const char *format = data[0] < n_formats ? rs_import_formats[data[0]].name : NULL;
	import(format, (const char *)data + 1, size - 1, false);
	import(format, (const char *)data + 1, size - 1, true);
	return 0;
}
