struct ent {
	char name[12];
	long v;
	char k;
	long w;
	char z;
};
