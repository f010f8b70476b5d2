struct head { int kind; };
struct s { struct head h; char c; long a; char z; int b; char y; };
struct other { struct head h; char c; };
typedef union { struct head *h; struct s *s; struct other *o; } ref;
