enum tag { TA, TB };
struct a {
	enum tag tag;
	char x;
};
struct s {
	enum tag tag;
	char k;
	long v;
	char z;
};
