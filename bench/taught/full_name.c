/* Reads a whole line as a title.
 * test two: war peace
 * test one: ulysses
 * test three: the long way
 * test single: x
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char title[60];

    printf("Title: ");
    scanf("%59[^\n]", title);
    printf("\"%s\" has %d characters\n", title, (int)strlen(title));
    return 0;
}
