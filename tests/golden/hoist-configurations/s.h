/* Another member of the union, and another beside it, where PAGES is set. */
struct page {
	unsigned long flags;
	int key;
	int count;	/* references */

	union {
		/* of a free page */
		struct {
			void *next;
			int pages;	/* of the slab */

			/* statistics */
			long hits;
#ifdef PAGES
			long misses;
#endif
		};
		void *owner;
	};
#ifdef PAGES
	long extra;
#endif
	long stamp[6];
};
