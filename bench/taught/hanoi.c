/* The towers of Hanoi.
 * test two: 2
 * test one: 1
 * test three: 3
 * test none: 0
 */
#include <stdio.h>

int moves = 0;

void hanoi(int n, char from, char to, char spare)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, spare, to);
    printf("Move disk %d from %c to %c\n", n, from, to);
    moves++;
    hanoi(n - 1, spare, to, from);
}

int main(void)
{
    int disks;
    scanf("%d", &disks);
    hanoi(disks, 'A', 'C', 'B');
    printf("%d moves\n", moves);
    return 0;
}
