#include <limits.h>

enum small { ZERO, ONE };
struct mixed { char tag; long long value; };

int main(void)
{
    char c = (char)200;
    __CPROVER_assert(c == 200 && CHAR_MIN == 0, "char has no sign");
    __CPROVER_assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(int) == 4, "32 bits");
    __CPROVER_assert(sizeof(struct mixed) == 16, "long long is aligned to 8 bytes");
#ifdef __arm__
    __CPROVER_assert(sizeof(enum small) == 1, "enumerations are as small as their values");
#else
    __CPROVER_assert(sizeof(enum small) == 4, "enumerations are as large as int");
#endif
    __CPROVER_assert(c == 0, "not replayed by the compiled program");
    return 0;
}
