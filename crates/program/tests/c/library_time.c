// The parts of a time, times of parts, and differences of times.
#include <time.h>

static unsigned hash;

static void fold(long word)
{
    hash = hash * 31 + (unsigned)(word ^ word >> 32);
}

static void parts(time_t seconds)
{
    struct tm *t = gmtime(&seconds);
    fold(t->tm_sec), fold(t->tm_min), fold(t->tm_hour), fold(t->tm_mday), fold(t->tm_mon), fold(t->tm_year);
    fold(t->tm_wday), fold(t->tm_yday), fold(t->tm_isdst), fold(t->tm_zone[0]);
}

/* Fields out of their ranges are brought into them, whatever the time zone: at noon no clock is changed. */
static void normal(int year, int month, int day, int hour)
{
    struct tm t = {.tm_year = year, .tm_mon = month, .tm_mday = day, .tm_hour = hour, .tm_isdst = -1};
    fold(mktime(&t) == -1);
    fold(t.tm_hour), fold(t.tm_mday), fold(t.tm_mon), fold(t.tm_year), fold(t.tm_wday), fold(t.tm_yday);
}

int main(void)
{
    for (int i = -400; i < 400; i += 7)
        normal(100 + i / 10, i, 3 * i, 12 + 24 * i);
    normal(2147483647, 12, 1, 12);
    for (long day = -200000; day < 200000; day += 997)
        parts(day * 86400 + day * 7);
    for (long day = 10957; day < 10957 + 800; day += 3) /* two years from 2000 */
        parts(day * 86400 + 86399);
    parts(0), parts(-1), parts(951782400), parts(951868800), parts(4107542400), parts(67768036191676799);
    time_t beyond = 67768036191676800;
    fold(gmtime(&beyond) == 0);
    fold((long)(difftime(5, 9) * 2)), fold((long)difftime(1L << 40, 3));
    return hash;
}
