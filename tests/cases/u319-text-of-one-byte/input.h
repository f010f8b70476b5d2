#ifndef INPUT_H
#define INPUT_H
struct entry {
	char kind;
	long id;
	char key[1];
	char rest[7];
	char state;
	int count;
};
#endif
