/* One line has two members. */
struct line {
	int key;
	union {
		struct { long a; long b; };
		void *p;
	};
	int count;
};

/* The bit-field is declared together with one that stays. */
struct bits {
	int key;
	union {
		struct {
			long a;
			int flag : 1, more : 2;
		};
		void *p;
	};
	int count;
};

/* A function clears what lies between two members. */
struct range {
	int key;
	union {
		struct {
			long a;
			long first;
			long last;
			long b;
		};
		void *p;
	};
	int count;
};

/* Values are given by position. */
struct values {
	int key;
	union {
		struct {
			long a;
			long b;
		};
		void *p;
	};
	int count;
	long cold[6];
};
