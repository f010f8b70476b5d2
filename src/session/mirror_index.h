/*
 * The words of all records, to be looked up while text is read: tags and typedef names as they are spelt, and
 * stems (small letters, no underscores) of tags and members, so that LightRow and lightRow are light_row. A
 * member's member goes by its path: link.next is linknext.
 */
#ifndef RS_SESSION_MIRROR_INDEX_H
#define RS_SESSION_MIRROR_INDEX_H

#include "base/notes.h"
#include "record/pins.h"

/* One meaning of a word. Postings of a word stand in the order of the records. */
struct rs_mirror_posting {
	size_t record;
	size_t member; /* RS_NONE: the word names the record */
	bool is_field; /* the member is the struct's own, not a member's member */
};

struct rs_mirror_word {
	const char *key;
	size_t length;
	uint64_t hash;
	bool is_tag; /* of any record */
	struct rs_mirror_posting *postings;
	size_t n_postings, postings_capacity;
};

struct rs_mirror_table {
	struct rs_mirror_word **slots; /* a power of two, open addressing */
	size_t n_slots, n_words;
};

struct rs_mirror_record {
	const struct rs_record *record;
	const char *const *names; /* the tag first, typedef names; none for an unnamed struct member */
	size_t n_names;
	const size_t *fields; /* members that can be named as record.member, in order */
	size_t n_fields;
	struct rs_pin_list *list;
};

enum { RS_MIRROR_OFFSETS = 1 << 16 };

struct rs_mirror_index {
	struct rs_arena *arena;
	struct rs_mirror_record *records;
	size_t n_records;
	struct rs_mirror_table names; /* tags and typedef names as they are */
	struct rs_mirror_table stems;
	uint8_t offsets[RS_MIRROR_OFFSETS /
			8]; /* bits: bytes at which some member lies; large ones are all set */
};

enum { RS_MIRROR_STEM_BYTES = 64 }; /* longer words are no stems */

void rs_mirror_index_init(struct rs_mirror_index *index, struct rs_arena *arena,
			  const struct rs_record *const *records, size_t n_records, struct rs_pin_list *lists);
/* The records that go by exactly this name; NULL: none. */
const struct rs_mirror_word *rs_mirror_index_name(const struct rs_mirror_index *index, const char *text,
						  size_t length);
const struct rs_mirror_word *rs_mirror_index_stem(const struct rs_mirror_index *index, const char *text,
						  size_t length);
/* Whether some member of some record may lie at this byte. */
bool rs_mirror_index_has_offset(const struct rs_mirror_index *index, uint64_t offset_bytes);
/* Whether the word names the record; word may be NULL. */
bool rs_mirror_index_is_tag(const struct rs_mirror_word *word, size_t record);
/* The field of the record that the word names; RS_NONE. */
size_t rs_mirror_index_field(const struct rs_mirror_word *word, size_t record);
/* Small letters without underscores and dots; 0 when it does not fit or nothing is left. */
size_t rs_mirror_index_make_stem(const char *text, size_t length, char ret_stem[RS_MIRROR_STEM_BYTES]);

#endif
