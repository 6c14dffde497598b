/* Sorts names with selection sort.
 * test three: 3 Cid Ann Bob
 * test sorted: 2 Ann Bob
 * test reversed: 4 D C B A
 * test one: 1 Zoe
 * test prefix: 3 Anna Ann An
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char names[20][30], t[30];
    int n, i, j, min;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%29s", names[i]);
    for (i = 0; i < n - 1; i++) {
        min = i;
        for (j = i + 1; j < n; j++)
            if (strcmp(names[j], names[min]) < 0)
                min = j;
        strcpy(t, names[i]);
        strcpy(names[i], names[min]);
        strcpy(names[min], t);
    }
    for (i = 0; i < n; i++)
        printf("%s\n", names[i]);
    return 0;
}
