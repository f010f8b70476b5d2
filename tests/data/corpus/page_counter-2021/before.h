/* page_counter of 2021, before */
#ifndef BEFORE_H
#define BEFORE_H

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;

struct page_counter {
	atomic_long_t	usage;
	unsigned long	min;
	unsigned long	low;
	unsigned long	high;
	unsigned long	max;
	struct page_counter *parent;
	unsigned long	emin;
	atomic_long_t	min_usage;
	atomic_long_t	children_min_usage;
	unsigned long	elow;
	atomic_long_t	low_usage;
	atomic_long_t	children_low_usage;
	unsigned long	watermark;
	unsigned long	failcnt;
};

#endif
