/* pool_head of 2022, before */
#ifndef BEFORE_H
#define BEFORE_H

struct pool_head {
	void		*free_list;
	unsigned int	used;
	unsigned int	needed_avg;
	unsigned int	allocated;
	unsigned int	limit;
	unsigned int	minavail;
	unsigned int	size;
	unsigned int	flags;
	unsigned int	users;
	unsigned int	failed;
	unsigned int	alloc_sz;
	void		*list[2];
	void		*base_addr;
	char		name[12];
	struct { char bytes[64]; } cache[256] __attribute__((aligned(64)));
};

#endif
