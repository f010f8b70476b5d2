/* stktable of 2023, before */
#ifndef BEFORE_H
#define BEFORE_H

struct stktable {
	unsigned long	id;
	unsigned long	idlen;
	unsigned long	nid;
	unsigned long	next;
	unsigned long	name[6];
	unsigned long	pool;
	unsigned long	exp_task;
	unsigned long	sync_task;
	unsigned long	hash_seed;
	unsigned long	peers;
	unsigned long	type;
	unsigned long	key_size;
	unsigned int	server_key_type;
	unsigned int	size;
	unsigned int	nopurge;
	unsigned int	expire;
	unsigned int	data_size;
	unsigned int	data_ofs[25];
	unsigned int	data_nbelem[25];
	unsigned long	data_arg[25];
	unsigned long	proxy;
	unsigned long	proxies_list;
	unsigned long	conf[2];
	unsigned long	keys[2] __attribute__((aligned(64)));
	unsigned long	exps[2];
	unsigned int	refcnt;
	unsigned int	current;
	unsigned long	lock;
	unsigned long	updates[2] __attribute__((aligned(32)));
	unsigned int	update;
	unsigned int	localupdate;
	unsigned int	commitupdate;
	unsigned long	updt_lock;
};

#endif
