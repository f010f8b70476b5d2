#ifndef F2
#define F2
struct s2 {
	char kind; /* of 2 */
	long value;
	char state;
};
#endif
