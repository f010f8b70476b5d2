/*
 * Members that leave their containers for the record embedded there, as text: their declarations go to the end
 * of the record, and every name of theirs gets the way through the record (parse/lift.h finds the names). Or
 * the other way, when they are lowered. What a comment above the struct says of them goes along.
 */
#ifndef RS_REWRITE_LIFT_H
#define RS_REWRITE_LIFT_H

#include "parse/lift.h"
#include "plan/plan.h"

/* What the steps lift to the record of that name, or lower from it; names are the steps'. */
struct rs_lifting rs_lift_names(struct rs_arena *arena, struct rs_alterations steps, const char *record);

struct rs_lift_request {
	const struct rs_record *record;
	const struct rs_record *const *containers; /* of lifting, each once */
	size_t n_containers;
	struct rs_alterations steps;
	struct rs_lifting lifting;
	const struct rs_lift_file *files; /* names in them */
	size_t n_files;
};

struct rs_lift_texts {
	const struct rs_source *const *before; /* files that change */
	const struct rs_source *const *after;
	size_t n_texts;
	const char *refusal; /* why there are none; NULL */
	const struct rs_source *where;
	size_t refusal_byte;
};

void rs_lift_rewrite(struct rs_arena *arena, const struct rs_lift_request *request,
		     struct rs_lift_texts *ret_texts);

#endif
