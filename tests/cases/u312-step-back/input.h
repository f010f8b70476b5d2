#ifndef INPUT_H
#define INPUT_H
struct job {
	char tag;
	long link;
	char state;
	int count;
};
#endif
