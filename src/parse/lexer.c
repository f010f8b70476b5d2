#include "parse/lexer.h"
