/* How often each letter occurs in a word.
 * test banana: banana
 * test abc: cab
 * test one: z
 * test letters: mississippi
 */
#include <stdio.h>

int main(void)
{
    char word[100];
    int count[26] = {0};
    int i;

    scanf("%99s", word);
    for (i = 0; word[i] != '\0'; i++)
        count[word[i] - 'a']++;

    for (i = 0; i < 26; i++) {
        if (count[i] > 0)
            printf("%c: %d\n", 'a' + i, count[i]);
    }
    return 0;
}
