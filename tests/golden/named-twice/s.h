struct outer {
	char k;
	struct inner {
		char a;
		long b;
		char c;
	} in;
	char l;
};

struct user {
	char x;
	struct outer o;
	char y;
};
