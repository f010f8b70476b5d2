#ifndef F6
#define F6
struct s6 {
	char kind; /* of 6 */
	char state;
	long value;
};
#endif
