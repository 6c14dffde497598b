/* The share of correct answers.
 * test all: 10 10
 * test none: 0 5
 * test half: 5 10
 * test third: 1 3
 */
#include <stdio.h>

int main(void)
{
    int correct, total;
    double percent;

    printf("Correct answers: ");
    scanf("%d", &correct);
    printf("Questions: ");
    scanf("%d", &total);
    percent = (double)correct / total * 100;
    printf("Result: %.1f%%\n", percent);
    return 0;
}
