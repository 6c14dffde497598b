/* Students and the best one of them.
 * test three: 3 Ann 71 Bob 93 Cid 88
 * test one: 1 Eve 50
 * test tie: 2 Max 60 Tom 60
 * test last: 2 Ida 10 Ulf 99
 */
#include <stdio.h>

struct student {
    char name[20];
    int points;
};

int main(void)
{
    struct student s[30];
    int n, i, best = 0;

    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%19s %d", s[i].name, &s[i].points);
    for (i = 1; i < n; i++)
        if (s[i].points > s[best].points)
            best = i;
    printf("%-10s%6s\n", "Name", "Points");
    for (i = 0; i < n; i++)
        printf("%-10s%6d\n", s[i].name, s[i].points);
    printf("Best: %s\n", s[best].name);
    return 0;
}
