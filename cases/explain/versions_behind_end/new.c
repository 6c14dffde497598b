#include <string.h>
void upper(char *s)
{
    int n = strlen(s);
    for (int i = 0; i < n; i++)
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] -= 32;
    if (n < 3)
        s[n + 1] = 0;
}
