struct hdr {
	char k;
	long len;
	char z;
	int q;
};
