#include "profile/bind.h"
