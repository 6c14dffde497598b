/* Where the second part is empty, memcpy gets NULL: C asks for a valid pointer also for 0 bytes. */
#include <string.h>

unsigned nondet_uint(void);

int main(void)
{
    char joined[8], part[8] = "part";
    unsigned length = nondet_uint();

    if (length > sizeof part)
        return 0;
    const char *from = length > 0 ? part : NULL;
    memcpy(joined, from, length);
    return 0;
}
