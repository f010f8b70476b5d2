struct node {
	struct node *next;
	unsigned char key[1];
};
struct entry {
	void *store;
	void *list;
	int type;
	struct node node;
	char path[16];
	char state;
	long uses;
};
