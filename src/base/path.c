#include "base/path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/builder.h"

char *rs_path_absolute(struct rs_arena *arena, const char *base, const char *path)
{
	if (path[0] == '/')
		return rs_arena_strdup(arena, path);
	char *folder = base ? rs_path_absolute(arena, NULL, base) : NULL;
	if (!folder) {
		char *current = getcwd(NULL, 0);
		folder = rs_arena_strdup(arena, current ? current : "/"); /* the current folder may be gone */
		free(current);
	}
	size_t length = strlen(folder);
	return rs_arena_printf(arena, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", path);
}

/* Appends the names in rest to a clean absolute path; "." and ".." are worked off. */
static void append_clean(struct rs_builder *out, const char *rest)
{
	while (*rest) {
		size_t length = strcspn(rest, "/");

		if (length == 2 && rest[0] == '.' && rest[1] == '.') {
			while (out->length > 0 && out->data[--out->length] != '/')
				;
			if (out->data)
				out->data[out->length] = '\0';
		} else if (length > 0 && !(length == 1 && rest[0] == '.')) {
			rs_builder_printf(out, "/%.*s", (int)length, rest);
		}
		rest += length + (rest[length] == '/');
	}
}

char *rs_path_canonical(struct rs_arena *arena, const char *path)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const char *absolute = rs_path_absolute(arena, NULL, path);
	char *prefix = rs_arena_strdup(arena, absolute), *real;

	/* ".." behind a symbolic link means the link's target: let the kernel resolve as much as exists. */
	while (!(real = realpath(prefix, NULL)) && prefix[0])
		*strrchr(prefix, '/') = '\0';
	append_clean(&out, real ? real : "");
	free(real);
	append_clean(&out, absolute + strlen(prefix));
	return rs_arena_strdup(arena, out.length ? out.data : "/");
}

char *rs_path_directory(struct rs_arena *arena, const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	while (length > 0 && path[length - 1] != '/')
		length--;
	if (length == 0)
		return rs_arena_strdup(arena, ".");
	while (length > 1 && path[length - 1] == '/')
		length--;
	return rs_arena_strndup(arena, path, length);
}

const char *rs_path_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *rs_path_below(const char *path, const char *root)
{
	size_t length = root ? strlen(root) : 0;

	while (length > 0 && root[length - 1] == '/')
		length--;
	if (!root || !root[0] || strncmp(path, root, length) != 0 || path[length] != '/' || !path[length + 1])
		return path;
	return path + length + 1;
}
