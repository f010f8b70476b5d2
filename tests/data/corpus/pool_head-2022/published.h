/* pool_head of 2022, as published */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct pool_head {
	unsigned int	limit;
	unsigned int	minavail;
	unsigned int	size;
	unsigned int	flags;
	unsigned int	users;
	unsigned int	alloc_sz;
	void		*list[2];
	void		*base_addr;
	char		name[12];
	struct { } always_align __attribute__((aligned(64)));
	void		*free_list;
	unsigned int	used;
	unsigned int	needed_avg;
	unsigned int	allocated;
	unsigned int	failed;
	struct { char bytes[64]; } cache[256] __attribute__((aligned(64)));
};

#endif
