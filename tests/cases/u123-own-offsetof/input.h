#include <stddef.h>
#define LIST_ELEM(at, type, m) ((type)(((const char *)(at)) - ((size_t)&((type)NULL)->m)))
#define holder_of(at, type, m) ((type *)(((void *)(at)) - ((long)&((type *)0)->m)))
struct channel {
	char state;
	long length;
	short flags;
};
struct stream {
	int id;
	struct channel in, out;
};
