/*
 * What the name of a compiler says: `ccache arm-none-eabi-gcc-12 …` compiles C for ARM.
 */
#ifndef RS_PARSE_COMPILER_H
#define RS_PARSE_COMPILER_H

#include "base/arena.h"

struct rs_compiler {
	size_t n_words;       /* wrappers, the compiler and its subcommand: where its arguments start */
	const char *target;   /* triple that the name starts with; NULL: the machine's own */
	const char *language; /* "c++" for g++ and its like; NULL: the file's suffix says it */
	bool short_enums;     /* gcc for this target packs enums, clang does not */
};

/* words: a whole command line, or only flags; then n_words is 0. main_file is never taken for a compiler. */
void rs_compiler_find(struct rs_arena *arena, const char *const *words, size_t n_words, const char *main_file,
		      struct rs_compiler *ret_compiler);

#endif
