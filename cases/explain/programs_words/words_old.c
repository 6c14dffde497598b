/* Counts lines and words on standard input. words.c is what became of it. */
#include <stdio.h>

static int is_space(int c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

int main(void)
{
    int c, lines = 0, words = 0, inside = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n')
            lines++;
        if (is_space(c)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    printf("%d lines, %d words\n", lines, words);
    return 0;
}
