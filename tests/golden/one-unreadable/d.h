struct d {
	unknown_t x;
	long y;
};
