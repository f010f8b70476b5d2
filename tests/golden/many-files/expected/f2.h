#ifndef F2
#define F2
struct s2 {
	char kind; /* of 2 */
	char state;
	long value;
};
#endif
