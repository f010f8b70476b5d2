struct s {
	char k;
	long a;
	char z;
	long q;
};
