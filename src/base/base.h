/*
 * What every other file includes: compiler attributes and small macros.
 */
#ifndef RS_BASE_BASE_H
#define RS_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_PRINTF(format_index, first_argument) \
	__attribute__((format(printf, format_index, first_argument), nonnull(format_index)))
#define RS_MUST_USE   __attribute__((warn_unused_result))
#define RS_CLEANUP(f) __attribute__((cleanup(f)))

#define RS_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
