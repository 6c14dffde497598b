/* Counts the vowels of a line.
 * test hello: hello world
 * test none: rhythm
 * test upper: AEIOU
 * test mixed: An Apple
 * test empty:
 */
#include <stdio.h>
#include <string.h>
#include <ctype.h>

int main(void)
{
    char line[100];
    int i, vowels = 0;

    fgets(line, 100, stdin);
    for (i = 0; i < strlen(line); i++) {
        char c = tolower(line[i]);
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u')
            vowels++;
    }
    printf("%d vowels\n", vowels);
    return 0;
}
