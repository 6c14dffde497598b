#include <string.h>
/* cuts blanks at the end, says how many */
int trim(char *s)
{
    char *end = s + strlen(s);
    char *p = end;
    while (p > s + 1 && p[-1] == ' ')
        p--;
    *p = '\0';
    return end - p;
}
