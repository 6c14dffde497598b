/* A queue in a ring: numbers are put in, 0 takes one out.
 * test few: 1 2 0 0
 * test around: 1 2 3 0 0 4 5 0 0 0
 * test empty: 0
 * test full: 1 2 3 4 5
 * test long: 1 2 3 4 0 0 5 6 0 0 0 0
 */
#include <stdio.h>

#define MAX 4

int queue[MAX], head, count;

int main(void)
{
    int x;

    while (scanf("%d", &x) == 1) {
        if (x != 0) {
            if (count == MAX) {
                printf("full\n");
            } else {
                queue[(head + count) % MAX] = x;
                count++;
            }
        } else if (count == 0) {
            printf("empty\n");
        } else {
            printf("%d\n", queue[head]);
            head = (head + 1) % MAX;
            count--;
        }
    }
    return 0;
}
