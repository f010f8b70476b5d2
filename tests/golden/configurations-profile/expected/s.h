struct conn {
	long		id;
	long		limit;
	char		name[56];
#ifdef TLS
	void		*session;
	char		secret[48];
	long		bytes;
#else
	long		bytes;
#endif
	char		peer[40];
	long		seen;
};
