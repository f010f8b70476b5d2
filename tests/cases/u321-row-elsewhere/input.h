#ifndef INPUT_H
#define INPUT_H
struct box {
	char tag;
	int lo;
	int mid;
	int hi;
	char kind;
	long weight;
};
int total(const int *values, int count);
#endif
