#define __cacheline_group_begin(G) char __cacheline_group_begin__##G[0]
#define __cacheline_group_end(G) char __cacheline_group_end__##G[0]
#define struct_group(NAME, ...) union { struct { __VA_ARGS__ }; struct { __VA_ARGS__ } NAME; }
struct net {
	unsigned char a0;
	unsigned long a1;
	unsigned char a2;
	__cacheline_group_begin(tx);
	unsigned char t0;
	unsigned long t1;
	unsigned char t2;
	__cacheline_group_begin(inner);
	unsigned char i0;
	unsigned long i1;
	unsigned char i2;
	__cacheline_group_end(inner);
	unsigned char t3;
	unsigned long t4;
	__cacheline_group_end(tx);
	unsigned long z;
	unsigned char y;
};
struct unbalanced {
	unsigned char a0;
	unsigned long a1;
	unsigned char a2;
	__cacheline_group_begin(tx);
	unsigned char t0;
	unsigned long t1;
	unsigned char t2;
};
struct crossed {
	__cacheline_group_begin(a);
	unsigned char a0;
	unsigned long a1;
	__cacheline_group_begin(b);
	unsigned char a2;
	unsigned long a3;
	__cacheline_group_end(a);
	unsigned char a4;
	unsigned long a5;
	__cacheline_group_end(b);
	unsigned char a6;
};
struct misnamed {
	unsigned char a0;
	__cacheline_group_begin(rx);
	unsigned char t0;
	unsigned long t1;
	unsigned char t2;
	__cacheline_group_end(rz);
	unsigned long z;
};
struct grouped {
	unsigned char a0;
	struct_group(both,
		unsigned char g0;
		unsigned long g1;
		unsigned char g2;
	);
	unsigned long b;
	unsigned char c;
};
