#ifndef F5
#define F5
struct s5 {
	char kind; /* of 5 */
	char state;
	long value;
};
#endif
