struct parser {
	char state;
	long length;
	short flags;
	const char *(*next)(struct parser *, const char *);
};
