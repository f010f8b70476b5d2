struct s { // brace
	/* ---- head ---- */

	/* lead */
	char a; /* trail; */
	        /* more */
	long b; ///< doc
	        ///< more
	/* 0x10 */ int c; /*c1*/ int d;
	// int gone; // note
	int e;
	/* end */
};
