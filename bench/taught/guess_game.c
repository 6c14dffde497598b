/* A guessing game with a given number; five tries.
 * test right: 42 10 60 42
 * test first: 7 7
 * test lost: 50 1 2 3 4 5
 * test last: 9 1 2 3 4 9
 */
#include <stdio.h>

int main(void)
{
    int secret, guess = 0, tries = 0;

    scanf("%d", &secret);
    while (tries < 5 && guess != secret) {
        printf("Your guess: ");
        scanf("%d", &guess);
        tries++;
        if (guess < secret)
            printf("too low\n");
        else if (guess > secret)
            printf("too high\n");
        else
            printf("right after %d tries\n", tries);
    }
    if (guess != secret)
        printf("You lost, it was %d\n", secret);
    return 0;
}
