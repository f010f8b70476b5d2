#include "f1.h"
#include "f2.h"
#include "f3.h"
#include "f4.h"
#include "f5.h"
#include "f6.h"
#include "f7.h"
#include "f8.h"
struct s1 table_1[] = { { .kind = 'a', .value = 1, .state = 'b' }, { .kind = 'c', .value = 11 } };
struct s3 table_3[] = { { .kind = 'a', .value = 3, .state = 'b' }, { .kind = 'c', .value = 13 } };
struct s8 table_8[] = { { .kind = 'a', .value = 8, .state = 'b' }, { .kind = 'c', .value = 18 } };
