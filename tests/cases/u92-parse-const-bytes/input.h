struct s {
	short type;
	short len;
	int seq;
	char k;
};
int parse(const unsigned char *pkt);
