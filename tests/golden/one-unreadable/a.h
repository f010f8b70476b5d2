/* in the first file */
struct a {
	char x;
	long y;
	char z;
};
