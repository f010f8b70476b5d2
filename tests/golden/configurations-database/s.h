struct ev {
	char	kind;
	long	when;
#ifdef BIG
	long	value;
#ifdef HUGE
	char	more;
#endif
#else
	char	value;
#endif
#ifdef NOWHERE
	int	nowhere;
#endif
	char	flags;
};
