struct stat_block {
	char kind, state;
	long total;
	struct stat_block *next,	/* same table */
		*prev;
	int	reads,		/* by lookup */
		writes,		/* by update */
		errors;		// since start
	long last;
	const char *name, tag;
	double mean;
	char flag, mark; /* both cleared by reset */
	const char *owner, grade;
};
