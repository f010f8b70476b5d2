/* sock of 2016, as published (linux 9115e8cd2a0c) */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct sock {
	unsigned long	sk_common[17];
	unsigned long	sk_lock[4];
	unsigned int	sk_drops;
	unsigned int	sk_rcvlowat;
	unsigned long	sk_error_queue[3];
	unsigned long	sk_receive_queue[3];
	unsigned long	sk_backlog[4];
	unsigned int	sk_rmem_alloc;
	unsigned int	sk_forward_alloc;
	unsigned int	sk_ll_usec;
	unsigned int	sk_napi_id;
	unsigned int	sk_rcvbuf;
	unsigned long	sk_filter;
	unsigned long	sk_wq;
	unsigned long	sk_rx_dst;
	unsigned long	sk_dst_cache;
	unsigned int	sk_omem_alloc;
	unsigned int	sk_sndbuf;
	unsigned int	sk_wmem_alloc;
	unsigned int	sk_txhash;
	unsigned long	sk_write_queue[3];
	unsigned long	sk_send_head;
	unsigned long	sk_flags;
	unsigned long	sk_lingertime;
	unsigned long	sk_prot_creator;
	unsigned long	sk_callback_lock;
	unsigned int	sk_err;
	unsigned int	sk_err_soft;
	unsigned int	sk_ack_backlog;
	unsigned int	sk_max_ack_backlog;
	unsigned int	sk_priority;
	unsigned int	sk_mark;
	unsigned long	sk_rcvtimeo;
	unsigned long	sk_sndtimeo;
	unsigned long	sk_timer[5];
	unsigned long	sk_stamp;
	unsigned short	sk_tsflags;
	unsigned char	sk_shutdown;
	unsigned long	sk_socket;
	unsigned long	sk_user_data;
	unsigned long	sk_frag[2];
	unsigned long	sk_data_ready;
	unsigned long	sk_write_space;
};

#endif
