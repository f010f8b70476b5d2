#include "parse/compiler.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"

static const char *const wrappers[] = { "ccache",  "distcc", "sccache", "icecc", "gomacc", "buildcache",
					"libtool", "env",    "nice",    "time",  "sh",     "bash" };

/* Start of a triple; gcc's other prefixes ("musl-gcc", "afl-gcc") name no target. */
static const char *const architectures[] = {
	"aarch64", "alpha", "arc",   "arm",   "avr",  "csky",       "hexagon", "hppa",   "i386",   "i486",
	"i586",    "i686",  "ia64",  "loong", "m68k", "microblaze", "mips",    "msp430", "nios2",  "or1k",
	"powerpc", "ppc",   "riscv", "s390",  "sh",   "sparc",      "thumb",   "wasm",   "x86_64", "xtensa",
};

static bool is_wrapper(const char *word)
{
	const char *name = rs_path_basename(word);

	for (size_t i = 0; i < RS_COUNT_OF(wrappers); i++)
		if (strcmp(name, wrappers[i]) == 0)
			return true;
	return false;
}

/* NAME=value, as `env` takes them. */
static bool is_assignment(const char *word)
{
	const char *equals = strchr(word, '=');

	return equals && equals != word && word[0] != '-' && !memchr(word, '/', (size_t)(equals - word));
}

static bool is_architecture(const char *name)
{
	for (size_t i = 0; i < RS_COUNT_OF(architectures); i++)
		if (strncmp(name, architectures[i], strlen(architectures[i])) == 0)
			return true;
	return false;
}

/* "gcc-12.2.exe" is "gcc". */
static char *plain_name(struct rs_arena *arena, const char *word)
{
	char *name = rs_arena_strdup(arena, rs_path_basename(word));
	size_t length = strlen(name);

	if (length > 4 && strcmp(name + length - 4, ".exe") == 0)
		length -= 4;
	size_t end = length;
	while (end > 0 && (isdigit((unsigned char)name[end - 1]) || name[end - 1] == '.'))
		end--;
	if (end > 1 && end < length && name[end - 1] == '-')
		length = end - 1;
	name[length] = '\0';
	return name;
}

static bool ends_in(const char *text, const char *suffix)
{
	size_t length = strlen(text), suffix_length = strlen(suffix);

	return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

static bool is_compiler(const char *name)
{
	static const char *const compilers[] = { "gcc", "cc", "g++", "c++", "clang", "clang++", "xgcc" };

	for (size_t i = 0; i < RS_COUNT_OF(compilers); i++)
		if (strcmp(name, compilers[i]) == 0)
			return true;
	return false;
}

static void read_name(struct rs_arena *arena, const char *word, struct rs_compiler *compiler)
{
	char *name = plain_name(arena, word);
	char *dash = strrchr(name, '-');

	if (ends_in(name, "++"))
		compiler->language = "c++";
	if (!dash || !is_compiler(dash + 1) || !is_architecture(name))
		return;
	bool is_clang = strncmp(dash + 1, "clang", 5) == 0;
	*dash = '\0';
	compiler->target = name;
	/* The bare-metal ARM ABI leaves enums as small as they can be; gcc follows it, clang only on request.
	 */
	compiler->short_enums =
		!is_clang && strncmp(name, "arm", 3) == 0 && strstr(name, "eabi") && !strstr(name, "linux");
}

/* Wrappers may have options of their own, and `env` assignments: all that stands between two names. */
static size_t skip_wrapper(const char *const *words, size_t n_words, size_t at)
{
	at++;
	while (at < n_words && (words[at][0] == '-' || is_assignment(words[at])))
		at++;
	return at;
}

void rs_compiler_find(struct rs_arena *arena, const char *const *words, size_t n_words, const char *main_file,
		      struct rs_compiler *ret_compiler)
{
	size_t at = 0;

	*ret_compiler = (struct rs_compiler) { 0 };
	while (at < n_words && is_assignment(words[at]))
		at++;
	while (at < n_words && is_wrapper(words[at]))
		at = skip_wrapper(words, n_words, at);
	if (at >= n_words || words[at][0] == '-' || words[at][0] == '@')
		return;
	if (main_file && strcmp(words[at], main_file) == 0)
		return;
	read_name(arena, words[at], ret_compiler);
	ret_compiler->n_words = at + 1;
}
