#ifndef F1
#define F1
struct s1 {
	char kind; /* of 1 */
	long value;
	char state;
};
#endif
