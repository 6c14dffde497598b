#include <assert.h>
#include <stdio.h>

int main(void)
{
    char letters[4], digits[3];
    if (scanf("%3[A-C]-%2c", letters, digits) != 2)
        return 1;
    digits[2] = 0;
    assert(letters[0] >= 'A' && letters[0] <= 'C');
    assert(letters[1] != 'B' || digits[0] == '0');
    return 0;
}
