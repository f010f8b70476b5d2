struct vec {
	float x, y;
};
struct s {
	char k;
	struct vec pos;
	char c;
	struct vec vel[2];
	char z;
};
