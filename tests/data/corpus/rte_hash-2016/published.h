/* rte_hash of 2016, as published (dpdk 02a08eb355) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct rte_hash {
	unsigned char	name[32];
	unsigned int	entries;
	unsigned int	num_buckets;
	unsigned long	free_slots;
	unsigned char	hw_trans_mem_support;
	unsigned long	local_free_slots;
	unsigned int	add_key;
	unsigned long	multiwriter_lock;
	unsigned int	key_len __attribute__((aligned(64)));
	unsigned long	hash_func;
	unsigned int	hash_func_init_val;
	unsigned long	rte_hash_custom_cmp_eq;
	unsigned int	cmp_jump_table_idx;
	unsigned int	bucket_bitmask;
	unsigned int	key_entry_size;
	unsigned long	key_store;
	unsigned long	buckets;
} __attribute__((aligned(64)));

#endif
