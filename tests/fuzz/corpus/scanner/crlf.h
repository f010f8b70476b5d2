struct s
{
	char a;	/* two
		   lines */
	int b;
	long c; // c \
 still c
	int (*f)(int, char);
};
