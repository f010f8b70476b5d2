/* channel of 2012, before */
#ifndef BEFORE_H
#define BEFORE_H

struct channel {
	unsigned int	flags;
	int		rex;
	int		wex;
	int		rto;
	int		wto;
	unsigned int	to_forward;
	unsigned int	analysers;
	int		analyse_exp;
	void		(*hijacker)(void *session, void *channel);
	unsigned char	xfer_large;
	unsigned char	xfer_small;
	unsigned long long total;
	void		*prod;
	void		*cons;
	void		*pipe;
	void		*buf;
};

#endif
