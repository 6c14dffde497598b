/* Counts words of the whole input.
 * test line: the quick brown fox
 * test spaces:   two   words \t
 * test lines: one\ntwo three\nfour
 * test empty:
 * test single: word
 */
#include <stdio.h>

int main(void)
{
    int c, words = 0, inside = 0;

    while ((c = getchar()) != EOF) {
        if (c == ' ' || c == '\n' || c == '\t') {
            inside = 0;
        } else if (inside == 0) {
            inside = 1;
            words++;
        }
    }
    printf("Words: %d\n", words);
    return 0;
}
