/* A pointer has 16 bits, and 13 of them are needed for offsets into the buffer. */
#include <string.h>

char buffer[4000];
char name[4];
int count;

int main(void)
{
    strcpy(name, "abc");
    memset(buffer, 0, sizeof buffer);
    count = (int)strlen(name);
    return count;
}
