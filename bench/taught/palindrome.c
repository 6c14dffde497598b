/* Is a word a palindrome?
 * test yes: level
 * test no: house
 * test even: abba
 * test single: x
 * test ends: abca
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[50];
    int i, length, same = 1;

    scanf("%49s", word);
    length = strlen(word);
    for (i = 0; i < length / 2; i++) {
        if (word[i] != word[length - 1 - i])
            same = 0;
    }
    if (same == 1)
        printf("%s is a palindrome\n", word);
    else
        printf("%s is not a palindrome\n", word);
    return 0;
}
