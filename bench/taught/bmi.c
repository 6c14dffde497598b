/* The body mass index.
 * test normal: 70 1.75
 * test heavy: 100 1.80
 * test light: 45 1.70
 * test round: 100 2
 */
#include <stdio.h>

int main(void)
{
    float weight, height, bmi;

    printf("Weight (kg): ");
    scanf("%f", &weight);
    printf("Height (m): ");
    scanf("%f", &height);

    bmi = weight / (height * height);
    printf("BMI: %.1f\n", bmi);
    if (bmi < 18.5)
        printf("Underweight\n");
    else if (bmi < 25)
        printf("Normal\n");
    else
        printf("Overweight\n");
    return 0;
}
