#include "base/inflate.h"

#include <string.h>
#include <zlib.h>

enum { GZIP_ONLY = 16 + MAX_WBITS };

static bool is_gzip(const char *text, size_t size)
{
	return size >= 2 && (unsigned char)text[0] == 0x1f && (unsigned char)text[1] == 0x8b;
}

/* One call into zlib; ret_more: there is more to come of it. */
static struct rs_error *inflate_some(z_stream *stream, const char *path, struct rs_builder *out, bool *ret_more)
{
	char chunk[65536];

	stream->next_out = (Bytef *)chunk;
	stream->avail_out = sizeof chunk;
	int status = inflate(stream, Z_NO_FLUSH);
	rs_builder_append(out, chunk, sizeof chunk - stream->avail_out);
	if (status == Z_STREAM_END && is_gzip((const char *)stream->next_in, stream->avail_in))
		status = inflateReset(stream);
	*ret_more = status == Z_OK;
	if (status == Z_OK && out->length > RS_INFLATE_MAX_BYTES)
		return rs_error_create(RS_ERROR_IO, path, 0, 0, "inflates to more than %d MiB",
				       RS_INFLATE_MAX_BYTES >> 20);
	if (status == Z_BUF_ERROR || (status == Z_OK && stream->avail_in == 0 && stream->avail_out > 0))
		return rs_error_create(RS_ERROR_IO, path, 0, 0, "the gzip file is cut short");
	if (status != Z_OK && status != Z_STREAM_END)
		return rs_error_create(RS_ERROR_IO, path, 0, 0, "the gzip file is damaged: %s",
				       stream->msg ? stream->msg : "zlib gives no reason");
	return NULL;
}

struct rs_error *rs_inflate(struct rs_arena *arena, const char *path, char **text, size_t *size)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	z_stream stream = { .next_in = (Bytef *)*text, .avail_in = (uInt)*size };
	struct rs_error *error = NULL;
	bool more = true;

	if (!is_gzip(*text, *size))
		return NULL;
	if (inflateInit2(&stream, GZIP_ONLY) != Z_OK)
		return rs_error_create(RS_ERROR_INTERNAL, path, 0, 0, "zlib cannot be set up");
	while (!error && more)
		error = inflate_some(&stream, path, &out, &more);
	inflateEnd(&stream);
	if (error)
		return error;
	*text = rs_arena_strndup(arena, out.data ? out.data : "", out.length);
	*size = out.length;
	return NULL;
}
