struct s { char c; long a; char z; int b; };
struct other { double c; };
struct ref { int kind; union { struct s *s; struct other *o; void *p; char *text; }; };
