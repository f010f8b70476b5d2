struct job {
	char kind;
	long value;
	char state;
#ifdef __cplusplus
	job(long v) : kind(1), value(v), state((char)(value + 1)) {}
#endif
};
