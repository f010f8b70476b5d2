struct ev {
	char	kind;
	long	when;
#ifdef SMALL
	short	value;
	char	only_small;
#else
	long	value;
#endif
	char	flags;
};
