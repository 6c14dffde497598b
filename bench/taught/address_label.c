/* An address on three lines.
 * test usual: Ann Smith\nHigh Street 5\n12345 Town
 * test short: A\nB\nC
 * test spaces: Max  M\nRoad  7\n1 X
 * test long: Bartholomew Montgomery\nNorthern Circular Road 117\n98765 Somewhere
 */
#include <stdio.h>
#include <string.h>

void read_line(char *s, int size)
{
    fgets(s, size, stdin);
    s[strcspn(s, "\n")] = '\0';
}

int main(void)
{
    char name[40], street[40], town[40];

    read_line(name, 40);
    read_line(street, 40);
    read_line(town, 40);
    printf("To: %s\n", name);
    printf("    %s\n", street);
    printf("    %s\n", town);
    return 0;
}
