struct s {
	char k;
	long q0;
	char y;
	long q1;
	int lo[4];
	int hi[4];
	char z;
	long q;
};
