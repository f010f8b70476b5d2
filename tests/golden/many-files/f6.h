#ifndef F6
#define F6
struct s6 {
	char kind; /* of 6 */
	long value;
	char state;
};
#endif
