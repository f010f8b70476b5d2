#ifndef F1
#define F1
struct s1 {
	char kind; /* of 1 */
	char state;
	long value;
};
#endif
