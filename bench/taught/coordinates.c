/* Points and their quadrants.
 * test four: 4 1 1 -1 1 -1 -1 1 -1
 * test axis: 2 0 5 5 0
 * test none: 0
 * test origin: 1 0 0
 */
#include <stdio.h>

struct point {
    int x, y;
};

void show(struct point p)
{
    printf("(%d, %d): ", p.x, p.y);
}

int main(void)
{
    struct point p;
    int n;

    scanf("%d", &n);
    while (n-- > 0) {
        scanf("%d %d", &p.x, &p.y);
        show(p);
        if (p.x == 0 || p.y == 0)
            printf("on an axis\n");
        else if (p.x > 0)
            printf("%s\n", p.y > 0 ? "first" : "fourth");
        else
            printf("%s\n", p.y > 0 ? "second" : "third");
    }
    return 0;
}
