/* Adds minutes to a time of the day.
 * test usual: 10:15 20
 * test hour: 10:50 20
 * test midnight: 23:50 15
 * test day: 12:00 1440
 * test nothing: 00:00 0
 */
#include <stdio.h>

int main(void)
{
    int h, m, add;

    scanf("%d:%d %d", &h, &m, &add);
    m += add;
    h = (h + m / 60) % 24;
    m %= 60;
    printf("%02d:%02d\n", h, m);
    return 0;
}
