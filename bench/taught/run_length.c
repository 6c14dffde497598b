/* Run-length encoding: aaab becomes a3b1.
 * test usual: aaab
 * test single: x
 * test pairs: aabbcc
 * test all: zzzzz
 * test different: abc
 */
#include <stdio.h>

int main(void)
{
    char s[100];
    int i, run = 1;

    scanf("%99s", s);
    for (i = 0; s[i] != '\0'; i++) {
        if (s[i] == s[i + 1]) {
            run++;
        } else {
            printf("%c%d", s[i], run);
            run = 1;
        }
    }
    printf("\n");
    return 0;
}
