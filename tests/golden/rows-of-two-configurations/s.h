struct s { char a; int b; char c; int d; };
