/* malloc.h: the old home of the allocator. */
#include <stdlib.h>
