/* A menu for areas.
 * test square: 1 5 0
 * test circle: 2 1 0
 * test both: 1 2 2 2 0
 * test wrong: 9 0
 * test quit: 0
 */
#include <stdio.h>
#define PI 3.14159

int main(void)
{
    int choice;
    double x;

    do {
        printf("1 Square\n2 Circle\n0 Quit\n> ");
        scanf("%d", &choice);
        switch (choice) {
        case 1:
            scanf("%lf", &x);
            printf("Area of the square: %.3f\n", x * x);
            break;
        case 2:
            scanf("%lf", &x);
            printf("Area of the circle: %.3f\n", PI * x * x);
            break;
        case 0:
            printf("Bye\n");
            break;
        default:
            printf("Unknown choice\n");
        }
    } while (choice != 0);
    return 0;
}
