/* page_counter of 2022, before */
#ifndef BEFORE_H
#define BEFORE_H

struct page_counter {
	unsigned long	usage;
	unsigned long	min;
	unsigned long	low;
	unsigned long	high;
	unsigned long	max;
	unsigned long	emin;
	unsigned long	min_usage;
	unsigned long	children_min_usage;
	unsigned long	elow;
	unsigned long	low_usage;
	unsigned long	children_low_usage;
	unsigned long	watermark;
	unsigned long	failcnt;
	unsigned long	parent;
};

#endif
