/* Checks the strength of a password.
 * test good: Abc12345
 * test short: Ab1
 * test digitless: Abcdefghi
 * test small: abc12345
 * test empty_like: aaaaaaaaaa
 */
#include <stdio.h>
#include <string.h>
#include <ctype.h>

int main(void)
{
    char p[50];
    int i, upper = 0, digit = 0, problems = 0;

    scanf("%49s", p);
    for (i = 0; p[i]; i++) {
        if (isupper(p[i])) upper++;
        if (isdigit(p[i])) digit++;
    }
    if (strlen(p) < 8) {
        printf("- at least 8 characters\n");
        problems++;
    }
    if (upper == 0) {
        printf("- at least one capital letter\n");
        problems++;
    }
    if (digit == 0) {
        printf("- at least one digit\n");
        problems++;
    }
    if (problems == 0)
        printf("Password accepted\n");
    else
        printf("%d problem(s)\n", problems);
    return 0;
}
