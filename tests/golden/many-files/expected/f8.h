#ifndef F8
#define F8
struct s8 {
	char kind; /* of 8 */
	char state;
	long value;
};
#endif
