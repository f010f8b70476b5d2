#ifndef S_H
#define S_H
struct s {
	char a;
	int b;
	char c;
#ifdef BAR
	char bar;
#endif
	int d;
};
#endif
