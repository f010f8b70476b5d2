/* rte_hash of 2016, before */
#ifndef BEFORE_H
#define BEFORE_H

struct rte_hash {
	unsigned char	name[32];
	unsigned int	entries;
	unsigned int	num_buckets;
	unsigned int	key_len;
	unsigned long	hash_func;
	unsigned int	hash_func_init_val;
	unsigned long	rte_hash_custom_cmp_eq;
	unsigned int	cmp_jump_table_idx;
	unsigned int	bucket_bitmask;
	unsigned int	key_entry_size;
	unsigned long	free_slots;
	unsigned long	key_store;
	unsigned long	buckets;
	unsigned char	hw_trans_mem_support;
	unsigned long	local_free_slots;
	unsigned int	add_key;
	unsigned long	multiwriter_lock;
} __attribute__((aligned(64)));

#endif
