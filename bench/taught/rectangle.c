/* Area and perimeter of a rectangle.
 * test usual: 3 4
 * test square: 5 5
 * test flat: 0 7
 * test large: 120 300
 */
#include <stdio.h>

int area(int w, int h) { return w * h; }
int perimeter(int w, int h) { return 2 * (w + h); }

int main(void) {
    int w, h;
    scanf("%d %d", &w, &h);
    printf("Area: %d\n", area(w, h));
    printf("Perimeter: %d\n", perimeter(w, h));
    return 0;
}
