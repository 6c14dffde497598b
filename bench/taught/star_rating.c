/* Stars for films: title, stars of 5.
 * test usual: 3 Jaws 4 Heat 5 Cats 1
 * test none: 0
 * test zero: 1 Zzz 0
 * test single: 1 Alien 5
 */
#include <stdio.h>

void stars(int n)
{
    int i;
    for (i = 0; i < 5; i++)
        printf(i < n ? "*" : ".");
}

int main(void)
{
    int films, n;
    char title[30];

    scanf("%d", &films);
    while (films > 0) {
        scanf("%29s %d", title, &n);
        printf("%-12s", title);
        stars(n);
        printf(" %d/5\n", n);
        films--;
    }
    return 0;
}
