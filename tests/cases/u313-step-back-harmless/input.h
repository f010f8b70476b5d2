#ifndef INPUT_H
#define INPUT_H
struct head {
	char tag;
	long size;
	char state;
};
#endif
