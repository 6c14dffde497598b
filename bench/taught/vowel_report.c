/* Counts letters, digits and other characters.
 * test mixed: ab 12 !
 * test letters: hello
 * test digits: 2024
 * test empty:
 */
#include <stdio.h>
#include <ctype.h>

int main(void)
{
    int c, letters = 0, digits = 0, others = 0;

    while ((c = getchar()) != EOF && c != '\n') {
        if (isalpha(c))
            letters++;
        else if (isdigit(c))
            digits++;
        else
            others++;
    }
    printf("letters: %d\n", letters);
    printf("digits: %d\n", digits);
    printf("others: %d\n", others);
    return 0;
}
