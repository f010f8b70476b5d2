#ifndef INPUT_H
#define INPUT_H
struct config {
	char mode;
	int port;
	char verbose;
	long limit;
};
#endif
