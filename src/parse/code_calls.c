#include <string.h>

#include "parse/code_internal.h"

/* What library functions do to the memory behind their first arguments. */
struct known_call {
	const char *name;
	bool is_start; /* of the name */
	unsigned does[2];
	bool is_whole; /* to as many bytes as the third argument says */
};

static const struct known_call known_calls[] = {
	{ "memset", false, { RS_CODE_WRITE, 0 }, true },
	{ "bzero", false, { RS_CODE_WRITE, 0 }, true },
	{ "memcpy", false, { RS_CODE_WRITE, RS_CODE_READ }, true },
	{ "memmove", false, { RS_CODE_WRITE, RS_CODE_READ }, true },
	{ "memcmp", false, { RS_CODE_READ, RS_CODE_READ }, true },
	{ "__sync_lock_release", true, { RS_CODE_WRITE, 0 }, false },
	{ "__sync_", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "pthread_mutex_init", false, { RS_CODE_WRITE, 0 }, false },
	{ "pthread_mutex_", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "pthread_spin_init", false, { RS_CODE_WRITE, 0 }, false },
	{ "pthread_spin_", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "pthread_rwlock_init", false, { RS_CODE_WRITE, 0 }, false },
	{ "pthread_rwlock_", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "gettimeofday", false, { RS_CODE_WRITE, 0 }, false },
	/* The kernel's. */
	{ "atomic_read", false, { RS_CODE_READ, 0 }, false },
	{ "atomic_set", false, { RS_CODE_WRITE, 0 }, false },
	{ "atomic_", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "atomic64_read", false, { RS_CODE_READ, 0 }, false },
	{ "atomic64_set", false, { RS_CODE_WRITE, 0 }, false },
	{ "atomic64_", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "atomic_long_read", false, { RS_CODE_READ, 0 }, false },
	{ "refcount_read", false, { RS_CODE_READ, 0 }, false },
	{ "refcount_set", false, { RS_CODE_WRITE, 0 }, false },
	{ "refcount_", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "spin_lock", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "spin_unlock", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "_raw_spin_", true, { RS_CODE_ATOMIC, 0 }, false },
	{ "mutex_", true, { RS_CODE_ATOMIC, 0 }, false },
};

static const struct known_call *find_known(const char *name)
{
	if (strncmp(name, "__builtin_", 10) == 0)
		name += 10;
	if (strncmp(name, "__builtin___", 12) == 0)
		name += 12;
	for (size_t i = 0; i < RS_COUNT_OF(known_calls); i++) {
		const struct known_call *known = &known_calls[i];

		if (known->is_start ? strncmp(name, known->name, strlen(known->name)) == 0
				    : strcmp(name, known->name) == 0)
			return known;
	}
	return NULL;
}

static bool takes_const(CXCursor argument)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(argument));

	return type.kind == CXType_Pointer && clang_isConstQualifiedType(clang_getPointeeType(type));
}

/* The lvalue whose address the expression is: of &x, or of an array that decays; null: none. */
static CXCursor addressed(struct rs_code_walk *walk, CXCursor expression)
{
	CXCursor core = rs_use_strip_casts(&walk->uses, expression);
	enum CXCursorKind kind = clang_getCursorKind(core);

	if (kind == CXCursor_UnaryOperator) {
		struct rs_use_children inside = rs_use_children_of(&walk->uses, core);

		if (inside.n_items == 1 && rs_code_is_pointer(core) &&
		    clang_equalTypes(clang_getCanonicalType(clang_getPointeeType(
					     clang_getCanonicalType(clang_getCursorType(core)))),
				     clang_getCanonicalType(clang_getCursorType(inside.items[0]))))
			return rs_use_strip(&walk->uses, inside.items[0]);
	}
	if (kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr)
		if (clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(core))).kind !=
		    CXType_Invalid)
			return core;
	return clang_getNullCursor();
}

/* Whether the call is about all bytes of the object, as far as its length is known. */
static bool is_whole(struct rs_code_walk *walk, CXCursor call, size_t record)
{
	int count = clang_Cursor_getNumArguments(call);
	long long length;

	if (count < 2 || !rs_use_evaluate(clang_Cursor_getArgument(call, (unsigned)count - 1), &length))
		return false;
	return (uint64_t)length == walk->uses.records[record]->size_bytes;
}

static void visit_given(struct rs_code_walk *walk, CXCursor argument, unsigned does)
{
	CXCursor lvalue = addressed(walk, argument);

	if (clang_Cursor_isNull(lvalue)) {
		rs_code_visit(walk, argument, RS_CODE_READ);
		return;
	}
	rs_code_visit(walk, lvalue, does);
}

/* The base goes into the parameter of a function that may be known. */
static void hand_on(struct rs_code_walk *walk, CXCursor argument, const char *callee, size_t parameter)
{
	CXCursor core = rs_use_strip_casts(&walk->uses, argument);
	size_t record = rs_use_pointee_record(&walk->uses, clang_getCursorType(core));
	struct rs_code_function *function = walk->function;

	if (record == RS_NONE || !callee || !rs_code_is_pointer(core))
		return;
	size_t base = rs_code_base_of(walk, core, record);
	*rs_array_push(walk->code->arena, function->calls, function->n_calls, function->calls_capacity) =
		(struct rs_code_call) { .place = rs_code_place_of(walk, argument),
					.callee = callee,
					.parameter = parameter,
					.base = base,
					.block = walk->block,
					.instance = rs_code_instance_of(walk, base) };
}

static const char *key_of(struct rs_code_walk *walk, CXCursor function)
{
	if (clang_getCursorKind(function) != CXCursor_FunctionDecl)
		return NULL;
	return rs_tu_string(walk->code->arena, clang_getCursorUSR(function));
}

static void visit_argument(struct rs_code_walk *walk, CXCursor call, const struct known_call *known,
			   size_t index)
{
	CXCursor argument = clang_Cursor_getArgument(call, (unsigned)index);
	CXCursor core = rs_use_strip_casts(&walk->uses, argument);
	unsigned does = takes_const(argument) ? RS_CODE_READ : RS_CODE_ADDRESS;

	if (known && index < 2 && known->does[index]) {
		size_t record = rs_use_pointee_record(&walk->uses, clang_getCursorType(core));

		does = known->does[index];
		if (known->is_whole && record != RS_NONE && is_whole(walk, call, record)) {
			rs_code_add_pointee(walk, core, does);
			does = RS_CODE_VALUE;
		}
	}
	visit_given(walk, argument, does);
}

void rs_code_visit_call(struct rs_code_walk *walk, CXCursor call)
{
	const char *name = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(call));
	const struct known_call *known = find_known(name);
	CXCursor function = clang_getCursorReferenced(call);
	struct rs_use_children inside = rs_use_children_of(&walk->uses, call);
	const char *callee = key_of(walk, function);
	int count = clang_Cursor_getNumArguments(call);

	if (inside.n_items > 0)
		rs_code_visit(walk, inside.items[0], RS_CODE_VALUE); /* who is called, maybe through a member */
	for (int i = 0; i < count; i++) {
		visit_argument(walk, call, known, (size_t)i);
		hand_on(walk, clang_Cursor_getArgument(call, (unsigned)i), callee, (size_t)i);
	}
}

bool rs_code_visit_atomic(struct rs_code_walk *walk, CXCursor expression)
{
	struct rs_use_children inside = rs_use_children_of(&walk->uses, expression);
	bool gives_nothing = clang_getCursorType(expression).kind == CXType_Void;
	unsigned does = RS_CODE_ATOMIC;

	if (inside.n_items < 2 || !rs_code_is_pointer(inside.items[0]))
		return false;
	/* Pointer and order: a load; pointer, order and value without a result: a store. */
	if (inside.n_items == 2)
		does = gives_nothing ? RS_CODE_WRITE : RS_CODE_READ;
	else if (inside.n_items == 3 && gives_nothing)
		does = RS_CODE_WRITE;
	visit_given(walk, inside.items[0], does);
	for (size_t i = 1; i < inside.n_items; i++)
		rs_code_visit(walk, inside.items[i], RS_CODE_VALUE);
	return true;
}
