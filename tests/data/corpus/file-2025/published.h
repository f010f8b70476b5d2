/* file of 2025, as published (linux e249056c91a2) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct file {
	unsigned int	f_lock;
	unsigned int	f_mode;
	unsigned long	f_op;
	unsigned long	f_mapping;
	unsigned long	private_data;
	unsigned long	f_inode;
	unsigned int	f_flags;
	unsigned int	f_iocb_flags;
	unsigned long	f_cred;
	unsigned long	f_owner;
	unsigned long	f_path[2];
	unsigned long	f_pos_lock[4];
	unsigned long	f_pos;
	unsigned long	f_security;
	unsigned int	f_wb_err;
	unsigned int	f_sb_err;
	unsigned long	f_ep;
	unsigned long	f_ref;
	unsigned long	f_llist_etc[4];
};

#endif
