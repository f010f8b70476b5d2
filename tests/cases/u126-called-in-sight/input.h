struct applet {
	char state;
	long sent;
	short flags;
};
struct request {
	char kind;
	long value;
};
