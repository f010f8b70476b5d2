#ifndef INPUT_H
#define INPUT_H
struct pair {
	char flag;
	long size;
	char other;
};
#endif
