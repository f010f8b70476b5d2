/*
 * What a translation unit was made from: the files that were read, by their content, and the names that were
 * looked for, by where they led. As long as all of it holds, parsing the unit anew with the same flags gives
 * the same again.
 *
 * A header that comes to stand in a folder that is searched earlier is noticed: for every name that any of the
 * files includes (whether an #if switches it off or not) it is known in which of the folders there was
 * something of that name. Files are compared by size, times and inode where those tell, else by a hash of their
 * bytes.
 */
#ifndef RS_PARSE_DEPENDENCIES_H
#define RS_PARSE_DEPENDENCIES_H

#include "base/wire.h"
#include "parse/file_states.h"
#include "parse/tu.h"

struct rs_dependency {
	const char *name; /* as it was opened: links in it may come to lead elsewhere */
	const char *path; /* canonical */
	struct rs_file_state state;
	uint64_t hash; /* of the bytes that were read */
};

/* Names looked for in one folder; for those in a folder below it that is not there, that folder's. */
struct rs_dependency_probes {
	const char *folder;
	const size_t *names; /* indices */
	const uint64_t *leads_to;
	size_t n_names;
};

struct rs_dependencies {
	bool is_complete;            /* false: there may be others, so that nothing can be built on these */
	struct rs_dependency *files; /* sorted by path */
	size_t n_files, files_capacity;
	const char **names;
	size_t n_names, names_capacity;
	struct rs_dependency_probes *probes;
	size_t n_probes, probes_capacity;
};

/* started_ns: when the parse began; states may be older than that. Files that stand in buffers (unsaved text, new
 * text) are left out. */
void rs_dependencies_collect(const struct rs_tu *tu, const struct rs_buffer *buffers, size_t n_buffers,
			     uint64_t started_ns, struct rs_file_states *states, struct rs_arena *arena,
			     struct rs_dependencies *ret_dependencies);
/* Whether all of it is as it was. The files' states become those of now; ret_is_refreshed says whether that
 * changed any, so that they are worth being kept. */
bool rs_dependencies_hold(struct rs_dependencies *dependencies, struct rs_file_states *states,
			  bool *ret_is_refreshed);
/* Whether the file is among them: by its path, or as the same file on disk. */
bool rs_dependencies_has(const struct rs_dependencies *dependencies, const char *path,
			 struct rs_file_states *states);

void rs_dependencies_put(const struct rs_dependencies *dependencies, struct rs_builder *out);
void rs_dependencies_get(struct rs_wire *wire, struct rs_arena *arena,
			 struct rs_dependencies *ret_dependencies);

#endif
