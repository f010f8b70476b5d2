/* channel of 2012, as published */
#ifndef PUBLISHED_H
#define PUBLISHED_H

struct channel {
	unsigned int	flags;
	unsigned int	analysers;
	void		*buf;
	void		*cons;
	void		*prod;
	void		*pipe;
	unsigned int	to_forward;
	unsigned char	xfer_large;
	unsigned char	xfer_small;
	unsigned long long total;
	int		rex;
	int		wex;
	int		rto;
	int		wto;
	void		(*hijacker)(void *session, void *channel);
	int		analyse_exp;
};

#endif
