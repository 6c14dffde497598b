/* A triangle of stars.
 * test four: 4
 * test one: 1
 * test none: 0
 * test negative: -3
 * test seven: 7
 */
#include <stdio.h>

int main()
{
  int rows, i, j;
  scanf("%d", &rows);
  for (i = 1; i <= rows; i++)
  {
    for (j = 1; j <= i; j++)
      printf("*");
    printf("\n");
  }
  return 0;
}
