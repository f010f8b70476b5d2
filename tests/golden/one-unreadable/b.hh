class b {
	char x;
};
