/*
 * Splits a line such as "ab,c" into two fields at the comma. The line has at
 * most five characters; a field holds three characters and the terminator.
 *
 * Wrong: the copy loop may fill a field to the brim, and the terminator is then
 * written one past its end. No assertion about that is written; the array
 * bounds check finds it. The written assertion, that the two fields together
 * are no longer than the line they came from, holds.
 *
 *     nearmiss check examples/strings.c
 */
#include <assert.h>

char nondet_char(void);

#define LINE 6  /* five characters and the terminator */
#define FIELD 4 /* three characters and the terminator */

struct field {
    char text[FIELD];
};

static char line[LINE];
static struct field name;
static struct field value;

/* Copies the field that starts at line[from]; returns its length. */
static int copy_field(struct field *to, int from)
{
    int n = 0;

    while (n < FIELD && line[from + n] != '\0' && line[from + n] != ',') {
        to->text[n] = line[from + n];
        n++;
    }
    to->text[n] = '\0';
    return n;
}

int main(void)
{
    int length = 0;
    int first;
    int second = 0;

    for (int i = 0; i < LINE - 1; i++)
        line[i] = nondet_char();
    line[LINE - 1] = '\0';
    while (line[length] != '\0')
        length++;

    first = copy_field(&name, 0);
    if (line[first] == ',')
        second = copy_field(&value, first + 1);
    assert(first + second <= length);
}
