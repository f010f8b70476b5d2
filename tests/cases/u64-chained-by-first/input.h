struct item {
	void *next;
	char k;
	long v;
	char z;
};
