/* Writes a line in capital letters without toupper.
 * test hello: hello
 * test mixed: Hello World
 * test digits: abc 123 xyz
 * test capitals: ABC
 * test empty:
 */
#include <stdio.h>

int main(void)
{
    char s[80];
    int i;

    fgets(s, sizeof s, stdin);
    for (i = 0; s[i] != '\0'; i++)
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] = s[i] - 'a' + 'A';
    printf("%s", s);
    return 0;
}
