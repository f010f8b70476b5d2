struct vec {
	float x, y;
};
struct s {
	char k;
	struct vec pos;
	struct vec vel;
	char z;
	long q;
};
