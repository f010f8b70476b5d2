#include "record/pins.h"
