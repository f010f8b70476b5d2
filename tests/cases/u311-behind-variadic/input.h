#ifndef INPUT_H
#define INPUT_H
struct size {
	char unit;
	int wide;
	int high;
	char kind;
	long area;
};
#endif
