#ifndef F4
#define F4
struct s4 {
	char kind; /* of 4 */
	long value;
	char state;
};
#endif
