#include <assert.h>
#include <time.h>

/* C lets `time` return -1, where there is no time to tell. */
int main(void)
{
    time_t now = time(NULL);
    assert(now >= -1);
    assert(now >= 0);
    return 0;
}
