struct s {
	char kind;
#if X
	int extra;
#endif
	long value;
	char state;
};
#if X
#define S_INIT(v) { 1, 7, v, 4 }
#else
#define S_INIT(v) { 1, v, 4 }
#endif
