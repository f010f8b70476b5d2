#ifndef INPUT_H
#define INPUT_H
struct item {
	int id;
	char flag;
	long size;
	char other;
	int (*key)(const void *);
};
#endif
