#ifndef F3
#define F3
struct s3 {
	char kind; /* of 3 */
	char state;
	long value;
};
#endif
