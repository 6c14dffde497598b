#ifndef LIMIT
#define LIMIT 12
#endif
