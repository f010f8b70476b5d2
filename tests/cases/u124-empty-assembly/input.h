struct block {
	char kind;
	long length;
	short flags;
};
#define HIDE(p) do { asm("" : "=rm"(p) : "0"(p)); } while (0)
