#include "f1.h"
#include "f2.h"
#include "f3.h"
#include "f4.h"
#include "f5.h"
#include "f6.h"
#include "f7.h"
#include "f8.h"
struct s1 table_1[] = { { 'a', 1, 'b' }, { 'c', 11 } };
struct s3 table_3[] = { { 'a', 3, 'b' }, { 'c', 13 } };
struct s8 table_8[] = { { 'a', 8, 'b' }, { 'c', 18 } };
