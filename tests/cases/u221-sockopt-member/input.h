#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>

struct s { char name[16]; char c; int error; char z; socklen_t size; struct timeval wait; int fd; char e; uint32_t word; struct flock lock; char last; };
