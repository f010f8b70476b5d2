struct job {
	char state;
	long length;
	char flags;
};
typedef int (*answer_fn)(void *data, const char *text, int done);
typedef void (*release_fn)(void *data);
