/* A hollow box.
 * test four: 4 3
 * test small: 2 2
 * test wide: 7 3
 * test line: 5 1
 * test point: 1 1
 */
#include <stdio.h>

int main(void)
{
    int w, h;

    scanf("%d %d", &w, &h);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            if (y == 0 || y == h - 1 || x == 0 || x == w - 1)
                putchar('#');
            else
                putchar(' ');
        }
        putchar('\n');
    }
    return 0;
}
