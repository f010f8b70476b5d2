#ifndef F8
#define F8
struct s8 {
	char kind; /* of 8 */
	long value;
	char state;
};
#endif
