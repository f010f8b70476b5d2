#ifndef INPUT_H
#define INPUT_H
struct name {
	char flag;
	char lead[4];
	char rest[4];
	long size;
	char other;
};
#endif
