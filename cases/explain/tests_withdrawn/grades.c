#include <stdio.h>

int main(void)
{
    int n = 0, mark, highest = 0, lowest = 0;
    double total = 0;
    printf("Enter marks (-1 to stop):\n");
    scanf("%d", &mark);
    while (mark != -1) {
        if (mark > highest)
            highest = mark;
        if (mark < lowest)
            lowest = mark;
        total += mark;
        n++;
        scanf("%d", &mark);
    }
    if (n == 0) {
        printf("No marks\n");
    } else {
        printf("Count:   %d\n", n);
        printf("Average: %.1f\n", total / n);
        printf("Highest: %d\n", highest);
        printf("Lowest:  %d\n", lowest);
    }
    return 0;
}
