#include "row.h"

long first(const struct row *row)
{
	return row->count;
}
