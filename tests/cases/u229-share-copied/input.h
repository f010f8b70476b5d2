struct s { char c; int a; char z; int b; char tail[12]; };
