#define ALIGNED(x) __attribute__((aligned(x)))
#define THREAD_ALIGN(x) union { } ALIGNED(x)
struct other {
	int a;
	THREAD_ALIGN(64);
	int b;
};
struct member {
	int key;

	/* references */
	int count;
};
