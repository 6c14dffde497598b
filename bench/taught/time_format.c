/* Seconds become hours, minutes and seconds.
 * test usual: 3661
 * test zero: 0
 * test day: 86399
 * test round: 36610
 * test wide: 45296
 */
#include <stdio.h>

int main(void)
{
    int seconds, h, m, s;

    scanf("%d", &seconds);
    h = seconds / 3600;
    m = seconds % 3600 / 60;
    s = seconds % 60;
    printf("%02d:%02d:%02d\n", h, m, s);
    return 0;
}
