/* Caesar's cipher: every letter moves by a key.
 * test three: 3 hello
 * test around: 3 xyz
 * test none: 0 same
 * test all: 13 attack
 * test one: 1 z
 */
#include <stdio.h>

int main(void)
{
    int key, i;
    char text[60];

    scanf("%d %59s", &key, text);
    for (i = 0; text[i]; i++) {
        if (text[i] >= 'a' && text[i] <= 'z')
            text[i] = (text[i] - 'a' + key) % 26 + 'a';
    }
    printf("Encrypted: %s\n", text);
    return 0;
}
