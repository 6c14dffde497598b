/* The precondition of memcpy stays a claim where the check of pointers is off. */
#include <string.h>

int main(void)
{
    char text[8] = "abcdefg";
    memcpy(text, text + 1, 3);
    return 0;
}
