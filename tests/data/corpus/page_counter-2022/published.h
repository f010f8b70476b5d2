/* page_counter of 2022, as published (linux: mm: page_counter: rearrange struct page_counter fields, 6.1) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct page_counter {
	unsigned long	usage;
	unsigned long	emin __attribute__((aligned(64)));
	unsigned long	min_usage;
	unsigned long	children_min_usage;
	unsigned long	elow;
	unsigned long	low_usage;
	unsigned long	children_low_usage;
	unsigned long	watermark;
	unsigned long	failcnt;
	unsigned long	min __attribute__((aligned(64)));
	unsigned long	low;
	unsigned long	high;
	unsigned long	max;
	unsigned long	parent;
} __attribute__((aligned(64)));

#endif
