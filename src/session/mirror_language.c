#include "session/mirror_language.h"

#include <string.h>

#define CODE_STYLE   (RS_MIRROR_SLASHES | RS_MIRROR_DIRECTIVES | RS_MIRROR_LITERALS)
#define SHADER_STYLE (RS_MIRROR_SLASHES | RS_MIRROR_DIRECTIVES)
#define FFI_CALLS                                                                \
	" _fields_ StructType Struct struct dtype layout namedtuple seq unpack " \
	"unpack_from iter_unpack pack pack_into cstruct "

/* The first row that lists the extension counts. */
static const struct rs_mirror_language languages[] = {
	{ " c h inl def y l m pc ec ", RS_MIRROR_C, CODE_STYLE, RS_MIRROR_BRACES, " struct ", "",
	  RS_MIRROR_WEAK_NONE },
	{ " cc cpp cxx c++ C hpp hh hxx h++ H ipp tpp ixx cppm mm cu cuh ino ", RS_MIRROR_CXX, CODE_STYLE,
	  RS_MIRROR_BRACES, " struct ", "", RS_MIRROR_WEAK_NONE },
	{ " S s asm inc nasm ", RS_MIRROR_ASSEMBLY, 0, RS_MIRROR_ENDED, " struc STRUC STRUCT ", "",
	  RS_MIRROR_WEAK_NONE },
	{ " glsl vert frag comp geom tesc tese rgen rchit rmiss hlsl hlsli fx fxh metal cl wgsl slang ispc ",
	  RS_MIRROR_FOREIGN, SHADER_STYLE, RS_MIRROR_BRACES, " struct buffer uniform cbuffer ", "",
	  RS_MIRROR_WEAK_NONE },
	{ " rs ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_BRACES, " struct ", " repr ",
	  RS_MIRROR_WEAK_ADVICE },
	{ " go ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_BRACES, " struct ",
	  " unsafe cgo binary syscall HostLayout ebpf ", RS_MIRROR_WEAK_CONTRACT },
	{ " zig ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_BRACES, " struct ", " extern packed ",
	  RS_MIRROR_WEAK_ADVICE },
	{ " d di ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_BRACES, " struct ", "",
	  RS_MIRROR_WEAK_NONE },
	{ " java kt kts scala groovy ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_BRACES,
	  " class record structLayout ",
	  " Structure FieldOrder MemoryLayout structLayout ByteBuffer Unsafe Native ", RS_MIRROR_WEAK_ADVICE },
	{ " cs ", RS_MIRROR_FOREIGN, SHADER_STYLE, RS_MIRROR_BRACES, " struct class record ",
	  " StructLayout DllImport LibraryImport Marshal unsafe ", RS_MIRROR_WEAK_CONTRACT },
	{ " swift ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_BRACES, " struct ",
	  " UnsafePointer UnsafeMutablePointer UnsafeRawPointer MemoryLayout simd ", RS_MIRROR_WEAK_CONTRACT },
	{ " idl odl x fbs bt hexpat sv svh ", RS_MIRROR_FOREIGN, SHADER_STYLE, RS_MIRROR_BRACES, " struct ", "",
	  RS_MIRROR_WEAK_NONE },
	{ " td ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_BRACES, " class def struct ", "",
	  RS_MIRROR_WEAK_NONE },
	/* Messages are numbered, not laid out: worth a look, no more. */
	{ " proto ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_BRACES, " message ", " nanopb ",
	  RS_MIRROR_WEAK_ADVICE },
	{ " hs hsc ", RS_MIRROR_FOREIGN, RS_MIRROR_DASHES, RS_MIRROR_BRACES, " data ", " Storable ",
	  RS_MIRROR_WEAK_NONE },
	{ " pas pp lpr dpr ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_ENDED, " record object ", "",
	  RS_MIRROR_WEAK_NONE },
	{ " ada adb ads ", RS_MIRROR_FOREIGN, RS_MIRROR_DASHES, RS_MIRROR_ENDED, " record ",
	  " Convention Interfaces Import Export ", RS_MIRROR_WEAK_ADVICE },
	{ " f90 F90 f95 F95 f03 F03 f08 F08 ", RS_MIRROR_FOREIGN, RS_MIRROR_BANGS, RS_MIRROR_ENDED,
	  " type TYPE ", " bind BIND sequence SEQUENCE iso_c_binding ", RS_MIRROR_WEAK_NONE },
	{ " jl ", RS_MIRROR_FOREIGN, RS_MIRROR_HASHES, RS_MIRROR_ENDED, " struct ",
	  " ccall llvmcall unsafe_load Ptr Cint Cuint Cvoid ", RS_MIRROR_WEAK_CONTRACT },
	{ " nim ", RS_MIRROR_FOREIGN, RS_MIRROR_HASHES, RS_MIRROR_ENDED, " object ", " bycopy importc packed ",
	  RS_MIRROR_WEAK_ADVICE },
	{ " py pyi pyw ksy ", RS_MIRROR_FOREIGN, RS_MIRROR_HASHES, RS_MIRROR_CALLS, FFI_CALLS,
	  " ctypes cffi ffi struct numpy np construct _fields_ seq ", RS_MIRROR_WEAK_NONE },
	{ " rb cr ", RS_MIRROR_FOREIGN, RS_MIRROR_HASHES, RS_MIRROR_CALLS, " layout unpack pack struct ",
	  " FFI Fiddle ffi fiddle unpack lib ", RS_MIRROR_WEAK_NONE },
	{ " lua luau ", RS_MIRROR_FOREIGN, RS_MIRROR_DASHES, RS_MIRROR_CALLS, " struct ", " cdef ",
	  RS_MIRROR_WEAK_NONE },
	{ " js mjs cjs ts mts cts ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_CALLS,
	  " Struct StructType struct cstruct ", " ffi koffi napi StructType bun deno ", RS_MIRROR_WEAK_NONE },
	{ " pl pm ", RS_MIRROR_FOREIGN, RS_MIRROR_HASHES, RS_MIRROR_CALLS, " unpack pack ", " unpack pack FFI ",
	  RS_MIRROR_WEAK_NONE },
	{ " php ", RS_MIRROR_FOREIGN, RS_MIRROR_SLASHES, RS_MIRROR_CALLS, " struct unpack pack ",
	  " FFI unpack pack ", RS_MIRROR_WEAK_NONE },
};

static bool list_has(const char *list, const char *word, size_t length)
{
	size_t list_length = strlen(list);

	for (const char *at = list; (at = memmem(at, list_length - (size_t)(at - list), word, length)); at++)
		if (at > list && at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

const struct rs_mirror_language *rs_mirror_language_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	if (!dot || !dot[1] || strchr(dot, ' '))
		return NULL;
	for (size_t i = 0; i < RS_COUNT_OF(languages); i++)
		if (list_has(languages[i].extensions, dot + 1, strlen(dot + 1)))
			return &languages[i];
	return NULL;
}

bool rs_mirror_language_lists(const char *list, const struct rs_mirror_scan *scan, size_t token)
{
	const struct rs_mirror_token *at = &scan->tokens[token];

	return at->kind == RS_MIRROR_WORD && list_has(list, scan->text + at->start, at->end - at->start);
}
