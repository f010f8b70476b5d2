struct v {
	int type;
	char k;
	long val;
	char z;
};
union any {
	int type;
	struct v v;
	double d;
};
