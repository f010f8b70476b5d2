/* client of 2026, before */
#ifndef BEFORE_H
#define BEFORE_H

struct client {
	unsigned long	id;
	unsigned long	flags;
	unsigned long	conn;
	unsigned char	tid;
	unsigned char	running_tid;
	unsigned char	io_flags;
	unsigned char	read_error;
	unsigned int	resp;
	unsigned long	db;
	unsigned long	name;
	unsigned long	lib_name;
	unsigned long	lib_ver;
	unsigned long	querybuf;
	unsigned long	qb_pos;
	unsigned long	querybuf_peak;
	unsigned int	argc;
	unsigned long	argv;
	unsigned int	argv_len;
	unsigned int	original_argc;
	unsigned long	original_argv;
	unsigned long	argv_len_sum;
	unsigned long	cmd;
	unsigned long	lastcmd;
	unsigned long	user;
	unsigned int	reqtype;
	unsigned int	multibulklen;
	unsigned long	bulklen;
	unsigned long	reply;
	unsigned long	reply_bytes;
	unsigned long	sentlen;
	unsigned long	ctime;
	unsigned long	duration;
	unsigned int	slot;
};

#endif
