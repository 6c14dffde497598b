/* Counts lines and words on standard input, tidied up: what ends a word is looked up in a string.
 * It does not print what it printed (see words_old.c); one of the three changes is to blame.
 */
#include <stdio.h>
#include <string.h>

static int is_space(int c)
{
    return strchr(" \n", c) != NULL;
}

int main(void)
{
    int c, lines = 0, words = 0, inside = 0;
    while ((c = getchar()) != EOF) {
        lines += c == '\n';
        if (!is_space(c) && !inside)
            words++;
        inside = !is_space(c);
    }
    printf("%d lines, %d words\n", lines, words);
    return 0;
}
