#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

int main(void)
{
    struct tm day = {.tm_year = 124, .tm_mon = 13, .tm_mday = 31, .tm_hour = 12, .tm_isdst = -1};
    char text[12], message[70];
    assert(mktime(&day) != -1);
    assert(day.tm_year == 125);
    size_t length = strftime(text, sizeof text, "%Y-%m-%d", &day);
    assert(length < sizeof text);
    assert(length == 0 || strlen(text) == length);
    strcpy(message, strerror(EINVAL));
    assert(length == 10);
    return 0;
}
