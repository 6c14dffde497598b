#include <stdio.h>

int main(void)
{
    int age, days;
    while (scanf("%d %d", &age, &days) == 2) {
        int fare = 4 * days;
        if (age > 20 || days == 7)
            fare = 6 * days;
        printf("%d\n", fare);
    }
    return 0;
}
