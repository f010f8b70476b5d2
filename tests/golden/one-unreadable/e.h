struct e {
	char x;
	long y;
	char z;
};
