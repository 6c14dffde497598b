#include <stdio.h>

int main(void)
{
    int n, sum = 0, largest = 0;
    scanf("%d", &n);
    for (int i = 1; i < n; i++) {
        int x;
        scanf("%d", &x);
        sum += x;
        if (x > largest)
            largest = x;
    }
    printf("Sum: %d\n", sum);
    printf("Average: %.2f\n", (double)sum / n);
    printf("Largest: %d\n", largest);
    return 0;
}
