#ifndef INPUT_H
#define INPUT_H
struct state {
	char kind;
	int used;
	char ready;
	long total;
};
#endif
