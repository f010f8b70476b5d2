#include "records_fixture.h"

#include "session/mirrors.h"

#define LIGHT                                                                                                 \
	"#include <stdint.h>\n"                                                                               \
	"struct light_row {\n\tuint8_t kind;\n\tfloat color[3];\n\tuint8_t on;\n\tdouble power;\n\tuint16_t " \
	"id;\n};\n"
#define CTX                                                                                              \
	"#include <stdint.h>\n"                                                                          \
	"struct ctx {\n\tuint8_t state;\n\tuint64_t sp;\n\tuint32_t flags;\n\tuint64_t pc;\n\tstruct { " \
	"uint32_t lo, "                                                                                  \
	"hi; } fpu;\n};\n"
#define NODE                    \
	"#include <stdint.h>\n" \
	"struct node {\n\tstruct node *next;\n\tint key;\n\tchar *name;\n\tlong value;\n};\n"

#define INODE                                                                                         \
	"struct ino {\n\tint ino_magic, ino_mode, ino_uid, ino_gid, ino_size, ino_atime, ino_mtime, " \
	"ino_ctime, "                                                                                 \
	"ino_btime, ino_nlink;\n};\n"

struct found {
	struct parsed parsed;
	struct rs_pin_list *lists;
};

static void search(struct found *found, const char *header)
{
	const char *root = scratch_path(".");

	parse_text(&found->parsed, header);
	found->lists = rs_arena_array(found->parsed.arena, struct rs_pin_list, found->parsed.n_records);
	for (size_t i = 0; i < found->parsed.n_records; i++)
		found->lists[i].arena = found->parsed.arena;
	rs_mirrors_find(found->parsed.arena, root, found->parsed.records, found->parsed.n_records, found->lists,
			&found->parsed.notes);
}

/* "file:line code!" for what refuses, without "!" for advice, in the order of records and files. */
static void expect_found(const struct found *found, const char *expected)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	char *root = realpath(scratch_root, NULL);

	rs_builder_appends(&text, "");
	for (size_t i = 0; i < found->parsed.n_records; i++)
		for (size_t k = 0; k < found->lists[i].n_pins; k++) {
			const struct rs_pin *pin = &found->lists[i].pins[k];

			assert_int_equal(pin->strength, pin->refuses ? RS_PIN_CONTRACT : RS_PIN_ADVICE);
			rs_builder_printf(&text, "%s%s:%u %s%s", text.length ? "; " : "",
					  rs_path_below(pin->file, root), pin->line, pin->code,
					  pin->refuses ? "!" : "");
		}
	free(root);
	assert_string_equal(text.data, expected);
}

/* One more file beside t.h and what is found with it; the file is removed again. */
static void expect(const char *header, const char *name, const char *text, const char *expected)
{
	struct found found = { 0 };

	scratch_write(name, text, strlen(text));
	search(&found, header);
	expect_found(&found, expected);
	parsed_end(&found.parsed);
	remove(scratch_path(name));
}

static void other_languages_repeat_a_struct(void **state)
{
	(void)state;
	expect(LIGHT, "bindings.py",
	       "import ctypes\n\nclass LightRow(ctypes.Structure):  # mirrors struct light_row\n"
	       "    _fields_ = [(\"kind\", ctypes.c_uint8), (\"color\", ctypes.c_float * 3),\n"
	       "                (\"on\", ctypes.c_uint8), (\"power\", ctypes.c_double)]\n",
	       "bindings.py:3 foreign-mirror!");
	expect(LIGHT, "light.glsl",
	       "// layout must match struct light_row in input.h\n"
	       "struct LightRow { uint kind; vec3 color; uint on; double power; uint id; };\n",
	       "light.glsl:2 foreign-mirror!");
	expect(LIGHT, "lib.rs",
	       "#[repr(C)]\npub struct LightRow { pub kind: u8, pub color: [f32; 3], pub on: u8, pub power: "
	       "f64 }\n",
	       "lib.rs:2 foreign-mirror!");
	expect(LIGHT, "light.go",
	       "package light\nimport \"unsafe\"\ntype LightRow struct {\n\tKind uint8\n\tColor "
	       "[3]float32\n\tOn "
	       "uint8\n}\n",
	       "light.go:3 foreign-mirror!");
	expect(LIGHT, "Light.java",
	       "import com.sun.jna.Structure;\n@FieldOrder({\"kind\", \"color\", \"on\"})\n"
	       "public class LightRow extends Structure {\n  public byte kind;\n  public float[] color;\n  "
	       "public byte "
	       "on;\n}\n",
	       "Light.java:3 foreign-mirror!");
	expect(LIGHT, "Light.cs",
	       "[StructLayout(LayoutKind.Sequential)]\npublic struct light_row_t {\n  public byte Kind;\n"
	       "  [MarshalAs(UnmanagedType.ByValArray, SizeConst = 3)] public float[] Color;\n  public byte "
	       "On;\n}\n",
	       "Light.cs:2 foreign-mirror!");
	expect(LIGHT, "light.zig",
	       "const LightRow = extern struct {\n  kind: u8,\n  color: [3]f32,\n  on: u8,\n};\n",
	       "light.zig:1 foreign-mirror!");
	expect(LIGHT, "light.f90",
	       "type, bind(C) :: light_row\n  integer(c_int8_t) :: kind\n  real(c_float) :: color(3)\n"
	       "  integer(c_int8_t) :: on\nend type\n",
	       "light.f90:1 foreign-mirror!");
	expect(LIGHT, "light.adb",
	       "type Light_Row is record\n  Kind : Unsigned_8;\n  Color : Vec;\n  On : Unsigned_8;\nend "
	       "record\n"
	       "with Convention => C;\n",
	       "light.adb:1 foreign-mirror!");
	expect(LIGHT, "light.lua",
	       "ffi.cdef[[\ntypedef struct {\n  uint8_t kind; float color[3]; uint8_t on;\n} light_row;\n]]\n",
	       "light.lua:2 foreign-mirror!");
	expect(LIGHT, "light.rb",
	       "class LightRow < FFI::Struct\n  layout :kind, :uint8,\n         :color, [:float, 3],\n         "
	       ":on, "
	       ":uint8\nend\n",
	       "light.rb:1 foreign-mirror!");
	expect(LIGHT, "light.jl",
	       "struct LightRow\n  kind::UInt8\n  color::NTuple{3,Float32}\n  on::UInt8\nend\n"
	       "ccall(:f, Cint, ())\n",
	       "light.jl:1 foreign-mirror!");
}

static void a_list_of_fields_needs_no_name(void **state)
{
	(void)state;
	expect(LIGHT, "a.py", "import struct\nkind, color, on, power, id = struct.unpack('<BfBdH', data)\n",
	       "a.py:2 foreign-mirror!");
	expect(LIGHT, "a.wgsl", "struct Row { kind: u32, color: vec3f, on: u32, power: f32, id: u32 }\n",
	       "a.wgsl:1 foreign-mirror!");
	expect(INODE, "a.pl",
	       "my %h = (ino_magic => 1, ino_uid => 2); pack('L', $ino_mode, $ino_uid, $ino_gid, "
	       "$ino_size, $ino_atime, $ino_mtime);\n",
	       "a.pl:1 foreign-mirror!");
	expect(INODE, "nfs.x", "struct attr { int mode; int uid; int gid; int size; int atime; int mtime; };\n",
	       "");
	/* Two fields less; another order; names that everybody uses. */
	expect(LIGHT, "a.wgsl", "struct Row { kind: u32, color: vec3f, on: u32 }\n", "");
	expect(LIGHT, "a.wgsl", "struct Row { id: u32, power: f32, on: u32, color: vec3f, kind: u32 }\n", "");
	expect(NODE, "a.wgsl", "struct Row { next: u32, key: u32, name: u32, value: u32 }\n", "");
}

static void languages_without_layout_are_no_mirrors(void **state)
{
	(void)state;
	expect(LIGHT, "a.py",
	       "class LightRow:\n    def __init__(self, kind, color, on, power, id):\n        self.kind = "
	       "kind\n",
	       "");
	expect(LIGHT, "a.py", "import ctypes\nlib.light_get(1)  # light_row: kind, color, on, power, id\n", "");
	expect(LIGHT, "a.rs", "#[repr(C)]\npub struct light_row { _private: [u8; 0] }\n", "");
	expect(LIGHT, "a.rs",
	       "pub struct LightRow { pub kind: u8, pub color: [f32; 3], pub on: u8, pub power: f64, pub id: "
	       "u16 }\n",
	       "a.rs:1 foreign-mirror");
	expect(LIGHT, "a.proto",
	       "message LightRow {\n  int32 kind = 1; float color = 2; bool on = 3; double power = 4; int32 id "
	       "= 5;\n}\n",
	       "a.proto:1 foreign-mirror");
	expect(LIGHT, "a.txt", "struct LightRow { uint kind; vec3 color; uint on; double power; uint id; };\n",
	       "");
}

static void common_words_are_no_evidence(void **state)
{
	(void)state;
	expect(NODE, "a.py", "import struct\nclass Node:\n    pass\nnode = Node()\nx = struct.unpack('I', b)\n",
	       "");
	expect(NODE, "a.rs", "#[repr(C)]\npub struct Node { left: u32, right: u32, name: u32 }\n", "");
	expect(NODE, "a.glsl",
	       "// a list of node values: next key, name\nstruct Material { vec3 albedo; float key; };\n", "");
	expect(NODE, "a.rs",
	       "#[repr(C)]\npub struct Node { next: *mut Node, key: c_int, name: *mut c_char, value: c_long "
	       "}\n",
	       "a.rs:2 foreign-mirror!");
	expect(NODE, "a.cc", "#include <list>\nstd::list<int> node{1, 2};\nint list[] = {1, 2};\n", "");
}

static void binary_and_odd_files_are_passed_over(void **state)
{
	static const char binary[] =
		"import ctypes\0class LightRow(ctypes.Structure): _fields_ = [kind color on]";
	struct found found = { 0 };

	(void)state;
	scratch_write("b.py", binary, sizeof binary);
	search(&found, LIGHT);
	expect_found(&found, "");
	parsed_end(&found.parsed);
	remove(scratch_path("b.py"));
	expect(LIGHT, "open.rs", "#[repr(C)] pub struct LightRow { kind: u8, (((( \"", "");
	expect(LIGHT, "junk.cc", "struct light_row {{{{ ' \" \\\n#if\n\xff\xfe light_row x = {", "");
	expect(LIGHT, "junk.h", "#define", "");
	expect(LIGHT, "end.cc", "/* light_row", "");
	expect(LIGHT, "splice.c", "struct light_row {\n#define A \\", "");
	expect(LIGHT, "empty.S", "", "");
	expect(LIGHT, "short.py", "_fields_", "");
}

static void numbers_that_are_offsets(void **state)
{
	(void)state;
	expect(CTX, "ctx-offsets.h", "/* for switch.S */\n#define CTX_SP 8\n#define CTX_PC 24\n",
	       "ctx-offsets.h:2 assembly!");
	expect(CTX, "o.h", "#define MY_CTX_OFFSET_SP (8)\n#define MY_CTX_OFFSET_PC 0x18 /* bytes */\n",
	       "o.h:1 assembly!");
	expect(CTX, "o.h", "/* struct ctx */\n#define OFF_SP (1 * 8)\n#define OFF_PC (3*8)\n",
	       "o.h:2 assembly!");
	expect(CTX, "o.h", "enum { CTX_SP = 8, CTX_PC = 24 };\n", "o.h:1 assembly!");
	expect(CTX, "o.inc", "CTX_SP equ 8\nCTX_PC equ 24\n", "o.inc:1 assembly!");
	expect(CTX, "o.S", "\t.set CTX_SP, 8\n\t.equ CTX_PC, 24\n", "o.S:1 assembly!");
	expect(CTX, "o.asm", "%define CTX_SP 8\n%define CTX_FPU_HI 36\n", "o.asm:1 assembly!");
	expect(CTX, "o.rs", "const CTX_SP: usize = 8;\nconst CTX_PC: usize = 24;\n", "o.rs:1 foreign-mirror!");
	/* One of them; other values; numbers that mean another thing; computed ones. */
	expect(CTX, "o.h", "#define CTX_SP 8\n", "");
	expect(CTX, "o.h", "#define CTX_SP 1\n#define CTX_PC 2\n", "");
	expect(CTX, "o.h", "#define CTX_STATE 0\n#define CTX_SP 8\n#define CTX_FLAGS 9\n#define CTX_PC 10\n",
	       "");
	expect(CTX, "o.h", "#define OFF_SP 8\n#define OFF_PC 24\n", "");
	expect(CTX, "o.h", "#define CTX_SP offsetof(struct ctx, sp)\n#define CTX_PC offsetof(struct ctx, pc)\n",
	       "");
	expect(CTX, "o.h", "#define CTX_SP (8 - 0)\n#define CTX_PC (24 << 0)\n", "");
	expect(CTX, "asm-offsets.h",
	       "#define CTX_SP 8 /* offsetof(struct ctx, sp) */\n#define CTX_PC 24 /* offsetof(struct ctx, pc) "
	       "*/\n",
	       "asm-offsets.h:1 assembly");
	expect(CTX, "asm-offsets.c",
	       "void f(void)\n{\n\tDEFINE(CTX_SP, offsetof(struct ctx, sp));\n\tOFFSET(CTX_PC, ctx, "
	       "pc);\n}\n",
	       "asm-offsets.c:3 assembly");
	expect(CTX "#define CTX_SP 8\n#define CTX_PC 24\n", "none.h", "", "t.h:9 assembly!");
}

static void assembly_that_knows_the_struct(void **state)
{
	(void)state;
	expect(CTX, "switch.S", "/* rdi: struct ctx * */\nsw:\tmovq %rsp, 8(%rdi)\n\tjmp *24(%rdi)\n",
	       "switch.S:1 assembly!");
	expect(CTX, "switch.S", "sw:\tstr x9, [x0, #8] // ctx->sp\n", "switch.S:1 assembly!");
	expect(CTX, "ctx.asm",
	       "struc ctx\n .state: resb 8\n .sp: resq 1\n .flags: resd 2\n .pc: resq 1\nendstruc\n",
	       "ctx.asm:1 assembly!");
	expect(CTX, "switch.S", "/* rdi: struct ctx * */\nsw:\tmovq 8(%rdi), %rax\n", "switch.S:1 assembly");
	/* The stack's own; other numbers; the names that come from a generated file; a word of prose. */
	expect(CTX, "switch.S", "/* struct ctx */\n\tmovq 8(%rsp), %rax\n\tmovq 24(%rsp), %rbx\n", "");
	expect(CTX, "switch.S", "/* struct ctx */\n\tmovq 8(%rdi), %rax\n\tmovq 100(%rdi), %rax\n", "");
	expect(CTX, "switch.S", "/* struct ctx */\n#include \"asm-offsets.h\"\n\tmovq CTX_SP(%rdi), %rsp\n",
	       "");
	expect(CTX, "switch.S", "/* save ctx */\n\tmovq 8(%rdi), %rax\n\tmovq 24(%rdi), %rax\n", "");
}

static void cxx_depends_on_the_order(void **state)
{
	(void)state;
	expect(CTX, "u.cc", "#include \"t.h\"\nstatic ctx g = { .state = 1, .sp = 2 };\n",
	       "u.cc:2 cxx-consumer!");
	expect(CTX, "u.cpp", "ctx f() { return ctx{ 0, 1, 0, 2 }; }\n", "u.cpp:1 cxx-consumer!");
	expect(CTX, "u.hpp", "inline const struct ctx all[] = {\n\t{ 1, 2 },\n\t{ 3, 4 } };\n",
	       "u.hpp:1 cxx-consumer!");
	expect(CTX, "u.cc", "std::vector<ctx> v = { { 1, 2 }, { 3 } };\n", "u.cc:1 cxx-consumer!");
	expect(CTX, "u.cc", "void f() { g((struct ctx){ 1, 2 }); }\n", "u.cc:1 cxx-consumer!");
	expect(CTX, "u.cc", "auto *p = new ctx{1, 2};\n", "u.cc:1 cxx-consumer!");
	expect(CTX, "u.cc", "class Thread : public ctx {\n};\n", "u.cc:1 cxx-consumer!");
	expect(CTX, "u.cc", "class Thread {\npublic:\n\tctx saved;\n};\n", "u.cc:3 cxx-consumer!");
	expect(CTX, "u.cc", "auto [state, sp, flags, pc, fpu] = get();\n", "u.cc:1 cxx-consumer!");
	expect(CTX, "u.h", "namespace os {\ninline ::ctx zero() { return ::ctx{ 1, 2 }; }\n}\n",
	       "u.h:2 cxx-consumer!");
	expect(CTX "#ifdef __cplusplus\nstatic inline ctx mk() { return ctx{ 0, 1 }; }\n#else\n"
		   "static inline struct ctx mk(void) { return (struct ctx){ .sp = 1 }; }\n#endif\n",
	       "none.h", "", "t.h:10 cxx-consumer!");
}

static void cxx_that_does_not_care(void **state)
{
	(void)state;
	expect(CTX, "u.cc",
	       "extern \"C\" {\n#include \"t.h\"\n}\nvoid f(ctx *c);\nvoid g(struct ctx &c) { f(&c); }\n"
	       "int h(const ctx *c) { return c->sp; }\nctx *make(ctx a) {\n\tctx b{};\n\tctx c = {};\n\tctx d "
	       "= { 0 };\n"
	       "\tctx e = { .sp = 1 };\n\tctx k{a};\n\tstd::vector<ctx *> all{ &a, &b };\n\tif (c) { "
	       "}\n\treturn new ctx;\n}\n"
	       "auto l = [](ctx *p) -> ctx { return *p; };\nFoo::Foo(int x) : ctx{x}, y{1} {}\n"
	       "struct ctx;\nother::ctx o{ 1, 2 };\nint ctx[] = { 1, 2 };\nenum class ctx : int { a, b };\n"
	       "class Owner { ctx *c; std::unique_ptr<ctx> p; };\n",
	       "");
	/* C that looks alike: in C the parser sees it. */
	expect(CTX, "u.c", "struct ctx g = { 1, 2 };\nstruct holder { struct ctx c; };\n", "");
	expect(CTX, "u.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nstatic struct ctx g = { 1, 2 };\n", "");
}

static void second_definitions(void **state)
{
	(void)state;
	expect(CTX, "copy.c",
	       "struct ctx {\n\tuint8_t state;\n\tuint64_t sp;\n\tuint32_t flags;\n\tuint64_t pc;\n\tstruct { "
	       "int l; } "
	       "fpu;\n};\n",
	       "copy.c:1 second-definition!");
	expect("typedef struct {\n\tchar a;\n\tlong (*b)(int c, int d);\n\tint c : 3, : 2, d[4];\n} "
	       "__attribute__((packed)) "
	       "pair;\n",
	       "copy.h", "typedef struct {\n\tchar a;\n\tlong (*b)(int x, int y);\n\tint c:3, d[4];\n} pair;\n",
	       "copy.h:1 second-definition!");
	/* A copy that fell behind by one field. */
	expect(CTX, "copy.c", "struct ctx { char state; long sp; int flags; long pc; };\n",
	       "copy.c:1 second-definition!");
	expect(CTX, "copy.cc", "struct ctx { char state; long sp; int flags; long pc; int fpu[2]; };\n",
	       "copy.cc:1 second-definition!");
	/* A field begins a line there that begins none here: the two do not match today. */
	expect(CTX, "copy.c",
	       "struct ctx { char state; long sp; _Alignas(64) int flags; long pc; int fpu[2]; };\n", "");
	expect(CTX, "copy.c",
	       "struct ctx { char state; long sp; struct { int l; } __attribute__((aligned(4))) flags "
	       "__attribute__((aligned(64))); long pc; int fpu[2]; };\n",
	       "");
	/* Aligned to what it has anyway, as a whole, or what is pointed to: they still match. */
	expect(CTX, "copy.c",
	       "struct ctx { char state; long sp; int flags __attribute__((aligned(16))); long pc; int fpu[2]; "
	       "} __attribute__((aligned(64)));\n",
	       "copy.c:1 second-definition!");
	expect(CTX, "copy.c",
	       "struct ctx { char state; long sp; int flags; struct { int l; } __attribute__((aligned(64))) "
	       "*pc; "
	       "int fpu[2]; };\n",
	       "copy.c:1 second-definition!");
	/* Another struct of that name; the fields in another order; another name; no definition. */
	expect(CTX, "copy.c", "struct ctx { char state; long cookie; int open; void *sock; };\n", "");
	expect(CTX, "copy.c", "struct ctx { long sp; char state; int flags; long pc; int fpu[2]; };\n", "");
	expect(CTX, "copy.c", "struct other { char state; long sp; int flags; long pc; int fpu[2]; };\n", "");
	expect(CTX, "copy.c", "struct ctx *state(int sp, int flags, long pc, int fpu) { return 0; }\n", "");
}

static void only_sources_below_the_root(void **state)
{
	struct found found = { 0 };

	(void)state;
	assert_int_equal(
		scratch_run(
			"mkdir -p .git build/meson-info node_modules/x out builder && "
			"for d in .git build node_modules/x out builder; do "
			"echo 'struct LightRow { uint kind; vec3 color; uint on; };' > $d/a.glsl; done; "
			"touch out/build.ninja; ln -s . loop; ln -s .git link; ln -s .git/a.glsl linked.glsl"),
		0);
	search(&found, LIGHT);
	expect_found(&found, "builder/a.glsl:1 foreign-mirror!");
	parsed_end(&found.parsed);
	assert_int_equal(scratch_run("rm -rf .git build node_modules out builder loop link linked.glsl"), 0);
}

static void many_places_are_bounded(void **state)
{
	struct found found = { 0 };

	(void)state;
	assert_int_equal(scratch_run("for i in $(seq 100 140); do echo 'ctx x = { 1, 2 };' > u$i.cc; done"), 0);
	search(&found, CTX);
	assert_int_equal(found.lists[0].n_pins, 33);
	assert_non_null(strstr(found.lists[0].pins[32].message, "not listed"));
	parsed_end(&found.parsed);
	assert_int_equal(scratch_run("rm -f u1*.cc"), 0);
}

static void no_record_no_search(void **state)
{
	struct found found = { 0 };

	(void)state;
	search(&found, "int x;\n");
	assert_int_equal(found.parsed.n_records, 0);
	parsed_end(&found.parsed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_languages_repeat_a_struct),
		cmocka_unit_test(a_list_of_fields_needs_no_name),
		cmocka_unit_test(languages_without_layout_are_no_mirrors),
		cmocka_unit_test(common_words_are_no_evidence),
		cmocka_unit_test(binary_and_odd_files_are_passed_over),
		cmocka_unit_test(numbers_that_are_offsets),
		cmocka_unit_test(assembly_that_knows_the_struct),
		cmocka_unit_test(cxx_depends_on_the_order),
		cmocka_unit_test(cxx_that_does_not_care),
		cmocka_unit_test(second_definitions),
		cmocka_unit_test(only_sources_below_the_root),
		cmocka_unit_test(many_places_are_bounded),
		cmocka_unit_test(no_record_no_search),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
