struct session {
	unsigned long	key;
	unsigned int	state;
	unsigned int	uses;
	char		user[48];
	char		host[64];
	char		path[64];
	unsigned long	sent[8];
	unsigned long	received[8];
};
