/* Lines end in CR LF; two members share a line, another has a comment of its own. */
struct table {
	int hits; int misses;
	/* of the owner */
	int owner;
	long keys[7];
	int size;
};
