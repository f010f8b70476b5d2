#include "session/result.h"
