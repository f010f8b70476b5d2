#ifdef NONE
#error "there is no such thing"
#endif
struct ev { char kind; long when; char flags; };
