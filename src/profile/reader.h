/*
 * Reading JSON objects by a table of their keys: the strictness of the profile file in one place. Every error
 * says where in the file and, for a key or a word that is not known, which one is near.
 */
#ifndef RS_PROFILE_READER_H
#define RS_PROFILE_READER_H

#include "base/json.h"
#include "profile/profile.h"

struct rs_reader {
	struct rs_arena *arena;
	const char *path; /* of the file, for messages */
};

struct rs_key;
/* Stores what value says in target, which lies at the key's offset in the object that is filled. */
typedef struct rs_error *(*rs_read_fn)(const struct rs_reader *reader, const struct rs_key *key,
				       const struct rs_json *value, void *target);

struct rs_key {
	const char *name;
	rs_read_fn read;
	size_t offset;
	bool required;
	double least, most; /* both included; for lists of names: how many at least */
};

/* Reads an object whose keys are those of the table; what: "a path", for messages. */
struct rs_error *rs_reader_object(const struct rs_reader *reader, const struct rs_json *value, const char *what,
				  const struct rs_key *keys, size_t n_keys, void *object) RS_MUST_USE;
struct rs_error *rs_reader_kind(const struct rs_reader *reader, const struct rs_json *value,
				enum rs_json_kind kind) RS_MUST_USE;

/* Readers for the table; of a key they use only the bounds. */
struct rs_error *rs_reader_double(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target) RS_MUST_USE;
struct rs_error *rs_reader_unsigned(const struct rs_reader *reader, const struct rs_key *key,
				    const struct rs_json *value, void *target) RS_MUST_USE;
struct rs_error *rs_reader_uint64(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target) RS_MUST_USE;
/* target: unsigned. */
struct rs_error *rs_reader_power_of_two(const struct rs_reader *reader, const struct rs_key *key,
					const struct rs_json *value, void *target) RS_MUST_USE;
/* target: const char *; the string is not empty. */
struct rs_error *rs_reader_string(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target) RS_MUST_USE;
/* target: struct rs_profile_names; the names differ. */
struct rs_error *rs_reader_names(const struct rs_reader *reader, const struct rs_key *key,
				 const struct rs_json *value, void *target) RS_MUST_USE;

/* One of the words; gives its index. */
struct rs_error *rs_reader_word(const struct rs_reader *reader, const struct rs_json *value,
				const char *const *words, size_t n_words, size_t *ret_index) RS_MUST_USE;
/* The later of the first two equal names in sorted order; SIZE_MAX when all differ. */
size_t rs_reader_find_repeated(struct rs_arena *arena, const char *const *names, size_t count);
/* " (did you mean "x"?)", or nothing when no candidate is near. */
const char *rs_reader_suggest(struct rs_arena *arena, const char *name, const char *const *candidates,
			      size_t count);

#endif
