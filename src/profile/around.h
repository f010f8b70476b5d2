/*
 * Fields of containers in a profile's paths: "rtable.rt_genid" in a path of dst_entry, which is embedded in
 * rtable. They lie on the record's first and last lines, too, and on further ones.
 *
 *	rs_around_init(&list, arena, record, placement);
 *	container = rs_around_find(&list, name);        for each name of a path
 *	if (container != RS_NONE)
 *		error = rs_around_add(&list, container, name, place, path, kinds);
 *	rs_around_finish(&list, n_paths, &placement);
 */
#ifndef RS_PROFILE_AROUND_H
#define RS_PROFILE_AROUND_H

#include "profile/bind.h"
#include "profile/names.h"

struct rs_around_list {
	struct rs_arena *arena;
	const struct rs_record *record;
	const struct rs_placement *placement;
	struct rs_around_use *items;
	size_t n_items, capacity;
};

void rs_around_init(struct rs_around_list *list, struct rs_arena *arena, const struct rs_record *record,
		    const struct rs_placement *placement);
/* The index of the first base whose container the name begins with; RS_NONE: the name is one of the record's.
 */
size_t rs_around_find(const struct rs_around_list *list, const char *name);
/* kinds: rs_access_kind bits. */
struct rs_error *rs_around_add(struct rs_around_list *list, size_t base, const char *name,
			       struct rs_name_place place, size_t path, unsigned kinds) RS_MUST_USE;
/* The record's own field that the name stands for once it was lifted (arena's); NULL: it is still the
 * container's. The path then runs in that container, which rs_around_mention() says. */
const char *rs_around_lifted(const struct rs_around_list *list, const char *name);
/* The other way: whether the name is that of a member which left the record for containers, or of a part of it.
 */
bool rs_around_is_lowered(const struct rs_around_list *list, const char *name);
/* What the path then does is done there; in which containers it runs does not hang on it. */
struct rs_error *rs_around_add_lowered(struct rs_around_list *list, const char *name,
				       struct rs_name_place place, size_t path, unsigned kinds) RS_MUST_USE;
void rs_around_mention(struct rs_around_list *list, size_t base, size_t path);
/* The placement with what paths do around each base; untouched when they do nothing. */
void rs_around_finish(const struct rs_around_list *list, size_t n_paths, struct rs_placement *ret_placement);

#endif
