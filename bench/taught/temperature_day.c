/* Says how warm it is.
 * test cold: -3
 * test cool: 10
 * test warm: 22
 * test hot: 35
 * test zero: 0
 */
#include <stdio.h>

int main(void)
{
    int t;
    scanf("%d", &t);
    printf("%d degrees: ", t);
    if (t >= 30)
        printf("hot\n");
    else if (t >= 20)
        printf("warm\n");
    else if (t > 0)
        printf("cool\n");
    else
        printf("freezing\n");
    return 0;
}
