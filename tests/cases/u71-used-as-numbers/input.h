struct s {
	long v;
	char k;
	long w;
	char z;
};
