#define ____cacheline_aligned __attribute__((__aligned__(64)))
#ifdef CONFIG_SMP
#define ____cacheline_aligned_in_smp ____cacheline_aligned
#else
#define ____cacheline_aligned_in_smp	/* nobody to share with */
#endif
struct other {
	int lock ____cacheline_aligned_in_smp;
};
struct single {
	int key;	/* read by all */
	int count;	/* references */
};
