struct flags {
	unsigned hot:1, warm:2;
	long key;
	unsigned cold:1;
	long value;
	unsigned char state;
	unsigned seen:9;
};
