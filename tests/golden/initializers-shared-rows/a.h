/* The rows below are read as two types. */
struct point { char x; long y; char z; };
/* These only once. */
struct pair { char a; long b; char c; };
