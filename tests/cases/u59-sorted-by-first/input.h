struct rec {
	int key;
	char k;
	long v;
	char z;
};
