struct plain {
	int key;
	int count;
	int (*get)(void);
};
