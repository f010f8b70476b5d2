struct block {
	char kind;
	int length;
	short flags;
};
#define FETCH(out, p)                                            \
	do {                                                     \
		asm("" : "+r"(p));                               \
		asm("movl 4(%1), %0" : "=r"(out) : "r"(p));      \
	} while (0)
