#include "parse/byte_functions.h"

#include <string.h>

enum { MAX_WORD = 24 };

static const struct rs_byte_function rows[] = {
	{ "fwrite", RS_BYTES_ESCAPE },
	{ "fread", RS_BYTES_ESCAPE },
	{ "fwrite_unlocked", RS_BYTES_ESCAPE },
	{ "fread_unlocked", RS_BYTES_ESCAPE },
	{ "write", RS_BYTES_ESCAPE },
	{ "read", RS_BYTES_ESCAPE },
	{ "pwrite", RS_BYTES_ESCAPE },
	{ "pread", RS_BYTES_ESCAPE },
	{ "pwrite64", RS_BYTES_ESCAPE },
	{ "pread64", RS_BYTES_ESCAPE },
	{ "send", RS_BYTES_ESCAPE },
	{ "recv", RS_BYTES_ESCAPE },
	{ "sendto", RS_BYTES_ESCAPE },
	{ "recvfrom", RS_BYTES_ESCAPE },
	{ "msgsnd", RS_BYTES_ESCAPE },
	{ "msgrcv", RS_BYTES_ESCAPE },
	{ "mq_send", RS_BYTES_ESCAPE },
	{ "mq_receive", RS_BYTES_ESCAPE },
	{ "mq_timedsend", RS_BYTES_ESCAPE },
	{ "mq_timedreceive", RS_BYTES_ESCAPE },
	{ "ioctl", RS_BYTES_ESCAPE },
	{ "memcmp", RS_BYTES_ESCAPE },
	{ "bcmp", RS_BYTES_ESCAPE },
	{ "strncmp", RS_BYTES_ESCAPE },
	{ "memmem", RS_BYTES_ESCAPE },
	{ "memchr", RS_BYTES_ESCAPE },
	{ "timingsafe_bcmp", RS_BYTES_ESCAPE },
	{ "CRYPTO_memcmp", RS_BYTES_ESCAPE },
	{ "copy_to_user", RS_BYTES_ESCAPE },
	{ "copy_from_user", RS_BYTES_ESCAPE },
	{ "__copy_to_user", RS_BYTES_ESCAPE },
	{ "__copy_from_user", RS_BYTES_ESCAPE },
	{ "copy_to_iter", RS_BYTES_ESCAPE },
	{ "copy_from_iter", RS_BYTES_ESCAPE },
	{ "put_user", RS_BYTES_ESCAPE },
	{ "get_user", RS_BYTES_ESCAPE },
	{ "nla_put", RS_BYTES_ESCAPE },
	{ "skb_put_data", RS_BYTES_ESCAPE },
	{ "skb_copy_bits", RS_BYTES_ESCAPE },
	{ "bpf_probe_read", RS_BYTES_ESCAPE },
	{ "bpf_perf_event_output", RS_BYTES_ESCAPE },
	{ "bpf_ringbuf_output", RS_BYTES_ESCAPE },
	{ "SSL_write", RS_BYTES_ESCAPE },
	{ "SSL_read", RS_BYTES_ESCAPE },
	{ "BIO_write", RS_BYTES_ESCAPE },
	{ "BIO_read", RS_BYTES_ESCAPE },
	{ "gzwrite", RS_BYTES_ESCAPE },
	{ "gzread", RS_BYTES_ESCAPE },
	{ "gzfwrite", RS_BYTES_ESCAPE },
	{ "gzfread", RS_BYTES_ESCAPE },
	{ "compress", RS_BYTES_ESCAPE },
	{ "uncompress", RS_BYTES_ESCAPE },
	{ "crc32", RS_BYTES_ESCAPE },
	{ "adler32", RS_BYTES_ESCAPE },
	{ "EVP_DigestUpdate", RS_BYTES_ESCAPE },
	{ "EVP_EncryptUpdate", RS_BYTES_ESCAPE },
	{ "EVP_DecryptUpdate", RS_BYTES_ESCAPE },
	{ "SHA1_Update", RS_BYTES_ESCAPE },
	{ "SHA256_Update", RS_BYTES_ESCAPE },
	{ "SHA512_Update", RS_BYTES_ESCAPE },
	{ "MD5_Update", RS_BYTES_ESCAPE },
	{ "HMAC", RS_BYTES_ESCAPE },
	{ "XXH32", RS_BYTES_ESCAPE },
	{ "XXH64", RS_BYTES_ESCAPE },
	{ "XXH3_64bits", RS_BYTES_ESCAPE },
	{ "XXH3_128bits", RS_BYTES_ESCAPE },
	{ "zmq_send", RS_BYTES_ESCAPE },
	{ "zmq_recv", RS_BYTES_ESCAPE },
	{ "nng_send", RS_BYTES_ESCAPE },
	{ "nng_recv", RS_BYTES_ESCAPE },
	{ "io_uring_prep_write", RS_BYTES_ESCAPE },
	{ "io_uring_prep_read", RS_BYTES_ESCAPE },
	{ "io_uring_prep_send", RS_BYTES_ESCAPE },
	{ "io_uring_prep_recv", RS_BYTES_ESCAPE },
	{ "sqlite3_bind_blob", RS_BYTES_ESCAPE },
	{ "strcmp", RS_BYTES_STRING },
	{ "strcasecmp", RS_BYTES_STRING },
	{ "strncasecmp", RS_BYTES_STRING },
	{ "strcoll", RS_BYTES_STRING },
	{ "strlen", RS_BYTES_STRING },
	{ "strnlen", RS_BYTES_STRING },
	{ "strcpy", RS_BYTES_STRING },
	{ "strncpy", RS_BYTES_STRING },
	{ "strlcpy", RS_BYTES_STRING },
	{ "stpcpy", RS_BYTES_STRING },
	{ "strcat", RS_BYTES_STRING },
	{ "strncat", RS_BYTES_STRING },
	{ "strlcat", RS_BYTES_STRING },
	{ "strchr", RS_BYTES_STRING },
	{ "strrchr", RS_BYTES_STRING },
	{ "strstr", RS_BYTES_STRING },
	{ "strcspn", RS_BYTES_STRING },
	{ "strspn", RS_BYTES_STRING },
	{ "strpbrk", RS_BYTES_STRING },
	{ "strdup", RS_BYTES_STRING },
	{ "strndup", RS_BYTES_STRING },
	{ "strtok", RS_BYTES_STRING },
	{ "strtok_r", RS_BYTES_STRING },
	{ "strtol", RS_BYTES_STRING },
	{ "strtoul", RS_BYTES_STRING },
	{ "strtoll", RS_BYTES_STRING },
	{ "strtoull", RS_BYTES_STRING },
	{ "strtod", RS_BYTES_STRING },
	{ "atoi", RS_BYTES_STRING },
	{ "atol", RS_BYTES_STRING },
	{ "puts", RS_BYTES_STRING },
	{ "fputs", RS_BYTES_STRING },
	{ "printf", RS_BYTES_STRING },
	{ "fprintf", RS_BYTES_STRING },
	{ "dprintf", RS_BYTES_STRING },
	{ "sprintf", RS_BYTES_STRING },
	{ "snprintf", RS_BYTES_STRING },
	{ "sscanf", RS_BYTES_STRING },
	{ "fscanf", RS_BYTES_STRING },
	{ "scanf", RS_BYTES_STRING },
	{ "syslog", RS_BYTES_STRING },
	{ "asprintf", RS_BYTES_STRING },
	{ "memcpy", RS_BYTES_COPY },
	{ "memmove", RS_BYTES_COPY },
	{ "mempcpy", RS_BYTES_COPY },
	{ "bcopy", RS_BYTES_COPY },
	{ "memset", RS_BYTES_COPY },
	{ "bzero", RS_BYTES_COPY },
	{ "explicit_bzero", RS_BYTES_COPY },
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

bool rs_byte_functions_sound(const char *name)
{
	char word[MAX_WORD];

	while (*name) {
		name = cut_word(name, word);
		for (size_t i = 0; i < RS_COUNT_OF(words); i++)
			if (strcmp(words[i], word) == 0)
				return true;
	}
	return false;
}
