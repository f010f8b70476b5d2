#ifndef F4
#define F4
struct s4 {
	char kind; /* of 4 */
	char state;
	long value;
};
#endif
