#ifndef F7
#define F7
struct s7 {
	char kind; /* of 7 */
	char state;
	long value;
};
#endif
