#include <string.h>
/* cuts blanks at the end, says how many */
int trim(char *s)
{
    int cut = 0;
    size_t n = strlen(s);
    while (n > 0 && s[n - 1] == ' ') {
        s[--n] = 0;
        cut++;
    }
    return cut;
}
