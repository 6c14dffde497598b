#include <stdio.h>
#include <string.h>
int count(const char *s, char c)
{
    int i = 0, n = 0;
    while (s[i]) {
        if (s[i] == c) {
            n++;
            i++;
        }
    }
    return n;
}
int main(void)
{
    char line[40];
    fgets(line, sizeof line, stdin);
    printf("There are %d vowels a\n", count(line, 'a'));
    return 0;
}
