/* The best order without BIG makes it larger with BIG; another one is good in both. */
struct job {
	int	owner;
#ifdef BIG
	int	group;
#endif
	long	start;
#ifdef BIG
	int	left;
#endif
	int	tries;
};

/* Without BIG a and c belong together; with it what fits between them is not there to be had. */
struct pair {
	char	a;
#ifdef BIG
	char	pad[3];
	int	word;
#endif
	long	d;
	char	c;
#ifdef BIG
	char	rest[7];
#else
	long	e;
#endif
};
