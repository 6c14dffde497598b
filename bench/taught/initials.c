/* The initials of a name.
 * test two: ann smith
 * test three: john ronald tolkien
 * test one: plato
 * test capitals: Ada Lovelace
 */
#include <stdio.h>
#include <ctype.h>

int main(void)
{
    char name[80];
    int i, start = 1;

    fgets(name, 80, stdin);
    for (i = 0; name[i] != '\0' && name[i] != '\n'; i++) {
        if (name[i] == ' ')
            start = 1;
        else if (start) {
            printf("%c.", toupper(name[i]));
            start = 0;
        }
    }
    printf("\n");
    return 0;
}
