/*
 * Finds what is known already of the uses of records: the same code in a header is seen by many units, and a
 * table in one file may have tens of thousands of rows.
 */
#ifndef RS_PARSE_USE_INDEX_H
#define RS_PARSE_USE_INDEX_H

#include "parse/uses.h"

struct rs_use_index;
/* Of what the lists, one a record, hold now. They and initializers (NULL: none) must outlive the index. */
struct rs_use_index *rs_use_index_create(struct rs_pin_list *lists, struct rs_initializer_list *initializers,
					 size_t n_records);
void rs_use_index_destroy(struct rs_use_index *index);
void rs_use_index_destroyp(struct rs_use_index **index);

/* The pin of the record at this place; NULL. */
struct rs_pin *rs_use_index_find_pin(struct rs_use_index *index, size_t record, const char *file, unsigned line,
				     const char *code);
/* Enters the pin that was added to the record's list last. */
void rs_use_index_enter_pin(struct rs_use_index *index, size_t record);
/* The initialiser that starts at this byte of the file; NULL. */
struct rs_initializer *rs_use_index_find_initializer(struct rs_use_index *index, size_t record,
						     const struct rs_source *source, size_t byte);
void rs_use_index_enter_initializer(struct rs_use_index *index, size_t record);

/* Joins what another unit shows of the same values to what is known. NULL, or why they cannot be rewritten. */
const char *rs_use_index_join(struct rs_arena *arena, struct rs_initializer *known,
			      const struct rs_initializer *another);
/* Makes a pin that is known refuse the record, for another reason than it was made for. */
void rs_use_index_strengthen(struct rs_pin_list *list, struct rs_pin *pin, const char *message);

/* Enters what is known of the record as another configuration shows it: pins by themselves, with a number
 * from 1. Initialisers are the record's. */
void rs_use_index_enter_view(struct rs_use_index *index, size_t record, size_t view,
			     const struct rs_pin_list *list);

/* Adds what one unit shows of one record to what is known: to list, which is the record's own (view 0) or that
 * of a view. found_pins and found_initializers are lists that rs_uses_find() filled from nothing, or the same
 * read back. Their sources must be those of the index's lists where the file is the same. A list of values that
 * units read in different ways refuses the record. */
void rs_use_index_merge(struct rs_use_index *index, size_t record, size_t view, struct rs_pin_list *list,
			const struct rs_pin_list *found_pins,
			const struct rs_initializer_list *found_initializers);

#endif
