#define CACHE_LINE __attribute__((aligned(64)))

/* What bytes alone bring to the line that head begins is said; a profile knows. */
struct ring {
	char state;
	long mask;
	char full;
	long head CACHE_LINE;
	char grew;
	long seen;
	char shrank;
};

struct parted {
	char state;
	long base[7];
	int mask;
	char full;
	long head CACHE_LINE;
	long seen[7];
	char grew;
	int count;
	char shrank;
	short more[29];
};
