#ifndef INPUT_H
#define INPUT_H
struct base {
	int type;
};
struct shape {
	struct base base;
	char flag;
	long area;
	char other;
};
#endif
