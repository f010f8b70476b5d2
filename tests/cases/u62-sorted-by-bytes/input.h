struct rec {
	unsigned char major;
	unsigned char minor;
	char k;
	long v;
	char name[6];
};
