#define __aligned(n) __attribute__((__aligned__(n)))
#define ____cacheline_aligned_in_smp __aligned(64)
struct kernel {
	int key;	/* read by all */
	int count;	/* references */
};
