#include "record/codes.h"

#include <string.h>

#include "base/nearest.h"

static const char *const codes[] = {
	"aligned-apart",
	"asked",
	"asked-unmet",
	"assembly",
	"barrier",
	"bitfield-join",
	"common-beginning",
	"compiler-rejects",
	"counted-by",
	"cxx-binding",
	"cxx-class",
	"cxx-consumer",
	"cxx-designators",
	"cxx-inheritance",
	"cxx-member-pointer",
	"cxx-reinterpret-cast",
	"cxx-template",
	"disputed-layout",
	"evaluation-order",
	"explicit-padding",
	"first-member-cast",
	"fixed-address",
	"flexible-array-last",
	"foreign-mirror",
	"generated-file",
	"git-ignored",
	"group-marks",
	"hardware-registers",
	"initializer-macro",
	"inline-assembly",
	"keep-mark",
	"layout-escapes",
	"layout-unknown",
	"macro-braces",
	"marker",
	"member-lowered",
	"member-range",
	"ms-struct",
	"named-in-comment",
	"no-padding-key",
	"not-verified",
	"null-brace",
	"offset-as-length",
	"offset-comment",
	"order-comment",
	"other-configuration",
	"outside-root",
	"packed",
	"path-rule",
	"positional-initializer",
	"pragma-pack",
	"public-header",
	"randomized-layout",
	"scalar-storage-order",
	"second-definition",
	"sizeof-in-constant",
	"step-refused",
	"storage-parted",
	"system-header",
	"trailing-array",
	"type-defined-inside",
	"type-pun",
	"unaligned-allocation",
	"unclear-body",
	"union-overlay",
	"unknown-alignment",
	"unknown-mark",
	"unmapped-member",
	"unread-source",
	"unseen-branch",
	"user-abi",
	"wide-access",
	"wire-types",
	"worse-configuration",
};

bool rs_code_exists(const char *code)
{
	for (size_t i = 0; i < RS_COUNT_OF(codes); i++)
		if (strcmp(codes[i], code) == 0)
			return true;
	return false;
}

const char *rs_code_nearest(const char *code)
{
	return rs_nearest_name(code, codes, RS_COUNT_OF(codes));
}
