struct node {
	struct node *next;
	unsigned char key[];
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
