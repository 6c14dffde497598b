#include <stdio.h>

int main(void)
{
    int counts[5] = {0};
    int v, i, j;
    while (scanf("%d", &v) == 1) {
        if (v < 1 || v > 5) {
            printf("Skipping %d\n", v);
            continue;
        }
        counts[v - 1]++;
    }
    for (i = 0; i < 5; i++) {
        printf("%d: ", i);
        for (j = 0; j < counts[i]; j++)
            printf("#");
        printf(" (%d)\n", counts[i]);
    }
    return 0;
}
