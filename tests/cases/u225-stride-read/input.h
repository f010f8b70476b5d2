struct s { char c; int a; char z; int b; };
