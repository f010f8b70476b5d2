struct named { char a; long b; char c; };
struct bare { char a; long b; char c; };
struct rest { char a; long b; char c; };
struct inside { char a; long b; char c; };
struct parted { char a; long b; char c; };
struct rows { char a; long b; char c; };
