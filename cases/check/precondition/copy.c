#include <string.h>

int main(void)
{
    char from[8] = "hello";
    char to[4];
    memcpy(to, from, 6);
    return to[0];
}
