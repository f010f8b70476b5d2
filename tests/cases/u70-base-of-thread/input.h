struct base {
	int id;
	char c;
};
struct job {
	struct base b;
	char k;
	long v;
	char z;
};
