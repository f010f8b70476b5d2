struct buffer {
	_Alignas(16) char bytes[16];
};
struct c11 {
	int key;
	int count; // references
};
