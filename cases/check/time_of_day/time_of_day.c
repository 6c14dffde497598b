#include <assert.h>
#include <stdlib.h>
#include <time.h>

/* The clock is an input, and the parts of a time are what they are. */
int main(void)
{
    time_t now = 86400 * 59;
    struct tm *parts = gmtime(&now);
    assert(parts->tm_mon == 2 && parts->tm_mday == 1 && parts->tm_wday == 0);
    clock_t before = clock(), after = clock();
    assert(before <= after);
    char *home = getenv("HOME");
    assert(home == NULL || home[0] != 0);
    return 0;
}
