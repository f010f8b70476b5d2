#include "parse/byte_functions.h"

#include <string.h>

enum { MAX_WORD = 24 };

static const struct rs_byte_function rows[] = {
	{ "fwrite", RS_BYTES_ESCAPE, 1, 2, 0 },
	{ "fread", RS_BYTES_ESCAPE, 1, 2, 0 },
	{ "fwrite_unlocked", RS_BYTES_ESCAPE, 1, 2, 0 },
	{ "fread_unlocked", RS_BYTES_ESCAPE, 1, 2, 0 },
	{ "write", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "read", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "pwrite", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "pread", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "pwrite64", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "pread64", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "send", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "recv", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "sendto", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "recvfrom", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "msgsnd", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "msgrcv", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "mq_send", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "mq_receive", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "mq_timedsend", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "mq_timedreceive", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "ioctl", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "setsockopt", RS_BYTES_ESCAPE, 4, 0, 0 },
	{ "getsockopt", RS_BYTES_ESCAPE, 4, 0, 0 },
	{ "syscall", RS_BYTES_ESCAPE, -1, 0, 0 },
	{ "prctl", RS_BYTES_ESCAPE, -1, 0, 0 },
	{ "fcntl", RS_BYTES_ESCAPE, -1, 0, 0 },
	{ "ptrace", RS_BYTES_ESCAPE, -1, 0, 0 },
	{ "process_vm_readv", RS_BYTES_ESCAPE, -1, 0, 0 },
	{ "setxattr", RS_BYTES_ESCAPE, 3, 0, 0 },
	{ "getxattr", RS_BYTES_ESCAPE, 3, 0, 0 },
	{ "fsetxattr", RS_BYTES_ESCAPE, 3, 0, 0 },
	{ "fgetxattr", RS_BYTES_ESCAPE, 3, 0, 0 },
	{ "memcmp", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "bcmp", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "strncmp", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "memmem", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "memchr", RS_BYTES_ESCAPE, 2, 0, 1 },
	{ "timingsafe_bcmp", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "CRYPTO_memcmp", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "copy_to_user", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "copy_from_user", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "__copy_to_user", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "__copy_from_user", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "copy_to_iter", RS_BYTES_ESCAPE, 1, 0, 0 },
	{ "copy_from_iter", RS_BYTES_ESCAPE, 1, 0, 0 },
	{ "put_user", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "get_user", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "nla_put", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "skb_put_data", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "skb_copy_bits", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "bpf_probe_read", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "bpf_perf_event_output", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "bpf_ringbuf_output", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "SSL_write", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "SSL_read", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "BIO_write", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "BIO_read", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "gzwrite", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "gzread", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "gzfwrite", RS_BYTES_ESCAPE, 1, 2, 0 },
	{ "gzfread", RS_BYTES_ESCAPE, 1, 2, 0 },
	{ "compress", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "uncompress", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "crc32", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "adler32", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "EVP_DigestUpdate", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "EVP_EncryptUpdate", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "EVP_DecryptUpdate", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "SHA1_Update", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "SHA256_Update", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "SHA512_Update", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "MD5_Update", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "HMAC", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "XXH32", RS_BYTES_ESCAPE, 1, 0, 0 },
	{ "XXH64", RS_BYTES_ESCAPE, 1, 0, 0 },
	{ "XXH3_64bits", RS_BYTES_ESCAPE, 1, 0, 0 },
	{ "XXH3_128bits", RS_BYTES_ESCAPE, 1, 0, 0 },
	{ "zmq_send", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "zmq_recv", RS_BYTES_ESCAPE, 2, 0, 0 },
	{ "nng_send", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "nng_recv", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "io_uring_prep_write", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "io_uring_prep_read", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "io_uring_prep_send", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "io_uring_prep_recv", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "sqlite3_bind_blob", RS_BYTES_ESCAPE, 0, 0, 0 },
	{ "strcmp", RS_BYTES_STRING, 0, 0, 0 },
	{ "strcasecmp", RS_BYTES_STRING, 0, 0, 0 },
	{ "strncasecmp", RS_BYTES_STRING, 2, 0, 0 },
	{ "strcoll", RS_BYTES_STRING, 0, 0, 0 },
	{ "strlen", RS_BYTES_STRING, 0, 0, 0 },
	{ "strnlen", RS_BYTES_STRING, 1, 0, 0 },
	{ "strcpy", RS_BYTES_STRING, 0, 0, 0 },
	{ "strncpy", RS_BYTES_STRING, 2, 0, 1 },
	{ "strlcpy", RS_BYTES_STRING, 2, 0, 1 },
	{ "stpcpy", RS_BYTES_STRING, 0, 0, 0 },
	{ "strcat", RS_BYTES_STRING, 0, 0, 0 },
	{ "strncat", RS_BYTES_STRING, 0, 0, 0 },
	{ "strlcat", RS_BYTES_STRING, 2, 0, 1 },
	{ "strchr", RS_BYTES_STRING, 0, 0, 0 },
	{ "strrchr", RS_BYTES_STRING, 0, 0, 0 },
	{ "strstr", RS_BYTES_STRING, 0, 0, 0 },
	{ "strcspn", RS_BYTES_STRING, 0, 0, 0 },
	{ "strspn", RS_BYTES_STRING, 0, 0, 0 },
	{ "strpbrk", RS_BYTES_STRING, 0, 0, 0 },
	{ "strdup", RS_BYTES_STRING, 0, 0, 0 },
	{ "strndup", RS_BYTES_STRING, 0, 0, 0 },
	{ "strtok", RS_BYTES_STRING, 0, 0, 0 },
	{ "strtok_r", RS_BYTES_STRING, 0, 0, 0 },
	{ "strtol", RS_BYTES_STRING, 0, 0, 0 },
	{ "strtoul", RS_BYTES_STRING, 0, 0, 0 },
	{ "strtoll", RS_BYTES_STRING, 0, 0, 0 },
	{ "strtoull", RS_BYTES_STRING, 0, 0, 0 },
	{ "strtod", RS_BYTES_STRING, 0, 0, 0 },
	{ "atoi", RS_BYTES_STRING, 0, 0, 0 },
	{ "atol", RS_BYTES_STRING, 0, 0, 0 },
	{ "puts", RS_BYTES_STRING, 0, 0, 0 },
	{ "fputs", RS_BYTES_STRING, 0, 0, 0 },
	{ "printf", RS_BYTES_STRING, 0, 0, 0 },
	{ "fprintf", RS_BYTES_STRING, 0, 0, 0 },
	{ "dprintf", RS_BYTES_STRING, 0, 0, 0 },
	{ "sprintf", RS_BYTES_STRING, 0, 0, 0 },
	{ "snprintf", RS_BYTES_STRING, 1, 0, 1 },
	{ "sscanf", RS_BYTES_STRING, 0, 0, 0 },
	{ "fscanf", RS_BYTES_STRING, 0, 0, 0 },
	{ "scanf", RS_BYTES_STRING, 0, 0, 0 },
	{ "syslog", RS_BYTES_STRING, 0, 0, 0 },
	{ "vsnprintf", RS_BYTES_STRING, 1, 0, 1 },
	{ "stpncpy", RS_BYTES_STRING, 2, 0, 1 },
	{ "fgets", RS_BYTES_STRING, 1, 0, 1 },
	{ "asprintf", RS_BYTES_STRING, 0, 0, 0 },
	{ "qsort", RS_BYTES_WHOLE, 2, 1, 1 },
	{ "memcpy", RS_BYTES_COPY, 2, 0, 0 },
	{ "memmove", RS_BYTES_COPY, 2, 0, 0 },
	{ "mempcpy", RS_BYTES_COPY, 2, 0, 0 },
	{ "bcopy", RS_BYTES_COPY, 2, 0, 0 },
	{ "memset", RS_BYTES_COPY, 2, 0, 0 },
	{ "bzero", RS_BYTES_COPY, 1, 0, 0 },
	{ "explicit_bzero", RS_BYTES_COPY, 1, 0, 0 },
};

/* Parts of names. Left out is what containers do with whole elements, too: put, store, push, copy, pack. */
static const char *const words[] = {
	"write",     "writen",    "writeall",    "read",        "readn",      "readall",  "send",    "sendall",
	"recv",      "receive",   "save",        "load",        "dump",       "persist",  "emit",    "transmit",
	"xmit",      "publish",   "hash",        "rehash",      "hashlittle", "jhash",    "crc",     "crc8",
	"crc16",     "crc32",     "crc32c",      "crc64",       "adler32",    "checksum", "chksum",  "csum",
	"cksum",     "digest",    "md5",         "sha1",        "sha256",     "sha512",   "fnv",     "fnv1",
	"fnv1a",     "murmur",    "murmurhash",  "siphash",     "xxh",        "xxhash",   "encrypt", "decrypt",
	"serialize", "serialise", "deserialize", "deserialise", "fwrite",     "fread",    "pwrite",  "pread",
	"sendto",    "recvfrom",  "memcmp",      "ioctl",
};

/* What holds bytes, and what is done to it: strbuf_add, evbuffer_add, buffer_append. */
static const char *const buffers[] = {
	"buf", "buffer", "strbuf", "evbuffer", "bytebuf", "bytebuffer", "bytes", "blob", "sds", "sb", "stream",
};
static const char *const additions[] = { "add", "append", "cat", "put", "push", "insert", "prepend" };

const struct rs_byte_function *rs_byte_functions_find(const char *name)
{
	for (size_t i = 0; i < RS_COUNT_OF(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Cuts a word off the name: at underscores, and before a capital letter that follows a small one. The word is
 * in lower case, and cut short if it is too long. */
static const char *cut_word(const char *name, char word[MAX_WORD])
{
	size_t length = 0;

	while (*name == '_')
		name++;
	for (const char *start = name; *name && *name != '_'; name++) {
		if (name > start && is_upper(*name) && !is_upper(name[-1]))
			break;
		if (length + 1 < MAX_WORD)
			word[length++] = (char)(is_upper(*name) ? *name - 'A' + 'a' : *name);
	}
	word[length] = '\0';
	return name;
}

static bool is_any(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

bool rs_byte_functions_sound(const char *name)
{
	char word[MAX_WORD];
	bool is_buffer = false, is_added = false;

	while (*name) {
		name = cut_word(name, word);
		if (is_any(word, words, RS_COUNT_OF(words)))
			return true;
		is_buffer = is_buffer || is_any(word, buffers, RS_COUNT_OF(buffers));
		is_added = is_added || is_any(word, additions, RS_COUNT_OF(additions));
	}
	return is_buffer && is_added;
}
