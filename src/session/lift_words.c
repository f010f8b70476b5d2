#include "session/lift_words.h"

#include <string.h>

static struct rs_error *malformed(const struct rs_profile_names *words, const char *word)
{
	return rs_error_create(RS_ERROR_SYNTAX, words->file, words->line, words->column,
			       "'%s' does not say what is lifted: it takes "
			       "\"CONTAINER.MEMBER[,CONTAINER.MEMBER...][:NAME]\", or, for the way back, "
			       "\"MEMBER>CONTAINER[,CONTAINER...][:NAME]\"",
			       word);
}

static bool is_name(const char *text, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return length > 0 && strspn(text, letters) >= length && !(*text >= '0' && *text <= '9');
}

/* Calls take for every item of a list with commas that ends at a colon or with the text. */
typedef bool (*item_fn)(struct rs_arena *arena, const char *item, size_t length, struct rs_alteration *step,
			const char **fields);

static bool take_items(struct rs_arena *arena, const char *list, item_fn take, struct rs_alteration *step,
		       const char **fields)
{
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",:");

		if (!take(arena, at, length, step, fields))
			return false;
		at += length;
		if (*at != ',')
			return true;
	}
}

static bool take_member(struct rs_arena *arena, const char *item, size_t length, struct rs_alteration *step,
			const char **fields)
{
	size_t container = strcspn(item, ".,:");

	if (container >= length || !is_name(item, container) ||
	    !is_name(item + container + 1, length - container - 1))
		return false;
	fields[step->n_fields++] = rs_arena_strndup(arena, item, length);
	return true;
}

static bool take_container(struct rs_arena *arena, const char *item, size_t length, struct rs_alteration *step,
			   const char **fields)
{
	if (!is_name(item, length))
		return false;
	fields[step->n_fields++] = rs_arena_strndup(arena, item, length);
	return true;
}

/* The name there stands behind each container. */
static void add_names(struct rs_arena *arena, const char **fields, size_t n_fields, const char *name)
{
	for (size_t i = 0; i < n_fields; i++)
		fields[i] = rs_arena_printf(arena, "%s.%s", fields[i], name);
}

static struct rs_error *parse_word(struct rs_arena *arena, const struct rs_profile_names *words,
				   const char *word, struct rs_alteration *ret_step)
{
	const char *colon = strchr(word, ':'), *name = colon ? colon + 1 : NULL;
	const char *arrow = strchr(word, '>');
	const char **fields = rs_arena_array(arena, const char *, strlen(word) + 1);
	struct rs_alteration step = { .kind = arrow ? RS_OPERATION_LOWER : RS_OPERATION_LIFT,
				      .fields = fields,
				      .adds_member = !arrow };

	if ((name && !is_name(name, strlen(name))) || (arrow && !is_name(word, (size_t)(arrow - word))) ||
	    !take_items(arena, arrow ? arrow + 1 : word, arrow ? take_container : take_member, &step, fields))
		return malformed(words, word);
	if (arrow) {
		step.name = rs_arena_strndup(arena, word, (size_t)(arrow - word));
		add_names(arena, fields, step.n_fields, name ? name : step.name);
	} else {
		step.name = name ? name : strchr(fields[0], '.') + 1;
	}
	*ret_step = step;
	return NULL;
}

struct rs_error *rs_lift_words_parse(struct rs_arena *arena, const struct rs_profile_names *words,
				     struct rs_alterations *ret_steps)
{
	struct rs_alteration *items = rs_arena_array(arena, struct rs_alteration, words->n_names);

	for (size_t i = 0; i < words->n_names; i++)
		RS_TRY(parse_word(arena, words, words->names[i], &items[i]));
	*ret_steps = (struct rs_alterations) { items, words->n_names };
	return NULL;
}

struct rs_alterations rs_lift_words_of_kind(struct rs_arena *arena, struct rs_alterations steps,
					    enum rs_operation_kind kind)
{
	struct rs_alteration *items = rs_arena_array(arena, struct rs_alteration, steps.n_items);
	size_t count = 0;

	for (size_t i = 0; i < steps.n_items; i++)
		if (steps.items[i].kind == kind)
			items[count++] = steps.items[i];
	return (struct rs_alterations) { items, count };
}

bool rs_lift_words_ask(struct rs_alterations steps)
{
	for (size_t i = 0; i < steps.n_items; i++)
		if (steps.items[i].kind == RS_OPERATION_LIFT || steps.items[i].kind == RS_OPERATION_LOWER)
			return true;
	return false;
}
