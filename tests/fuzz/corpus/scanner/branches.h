struct s {
#ifdef A
	int a;
#elif B
	char a
#else
	/* none */
#endif
	;
#if 0
don't { care
#endif
	int b
#ifdef C
		__attribute__((x))
#endif
	;
};
