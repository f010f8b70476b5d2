struct conn {
	long		id;
	char		name[56];
#ifdef TLS
	void		*session;
	char		secret[48];
	long		bytes;
#else
	long		bytes;
#endif
	long		limit;
	char		peer[40];
	long		seen;
};
