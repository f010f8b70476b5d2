struct whole { char a; long b; char c; } __attribute__((packed));

#define PACKED __attribute__((packed))
struct member { char a; long b PACKED; char c; };

#pragma pack(push, 2)
struct capped { char a; long b; char c; };
struct harmless { short a; char b; char c; };
#pragma pack(pop)
