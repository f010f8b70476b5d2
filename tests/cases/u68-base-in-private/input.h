struct base {
	int id;
};
struct der {
	struct base b;
	char k;
	long v;
	char z;
};
struct box {
	void *priv;
};
