#ifndef INPUT_H
#define INPUT_H
struct s {
	char kind;
	int used;
	char state;
	long total;
	char mark;
};
#endif
