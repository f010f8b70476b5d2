#ifdef __cplusplus
extern "C" {
#endif
struct job {
	char kind;
	long value;
	char state;
};
#ifdef __cplusplus
}
#endif
