struct s {
	char k;
	char *a;
	char *b;
	char *c;
	char z;
};
