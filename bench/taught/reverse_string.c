/* Reverses a word in place.
 * test even: abcd
 * test odd: abc
 * test one: a
 * test same: noon
 * test long: programming
 */
#include <stdio.h>
#include <string.h>

void reverse(char s[])
{
    int left = 0, right = strlen(s) - 1;
    char t;

    while (left < right) {
        t = s[left];
        s[left] = s[right];
        s[right] = t;
        left++;
        right--;
    }
}

int main(void)
{
    char word[30];
    scanf("%s", word);
    reverse(word);
    printf("%s\n", word);
    return 0;
}
