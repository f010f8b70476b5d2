struct empty { };
struct one { int a; };
struct bits { unsigned a:1, b:2; unsigned :0; unsigned c:30; unsigned d:5; unsigned long long e:40; };
struct endu { char a; long l; char b; union { long x; char y; }; };
struct nest { char a; union { struct { long x; char y; }; int z; }; char b; union { char q; } named; char d; };
struct some_type_name_that_goes_on_and_on_for_a_while { int q; };
struct wide {
	char a;
	struct some_type_name_that_goes_on_and_on_for_a_while an_extremely_long_member_name_that_is_longer[3][4];
	int (*callback)(int a, struct some_type_name_that_goes_on_and_on_for_a_while *c, long d);
	long long ll;
};
struct kinds { char c; void (*arr[4])(int); int (*p)[3]; _Bool b; long double ld; _Complex double cd; enum { A } en; };
struct marks { unsigned :3; long l; struct { }; char c; union { }; long k; };
