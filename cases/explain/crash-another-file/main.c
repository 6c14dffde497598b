/* Reads a file that is not the crash file: the error stands at the line of that call. */
#include <stdio.h>

static int settings(void)
{
    FILE *file = fopen("settings", "r");
    return file ? fgetc(file) : 0;
}

int main(void)
{
    int first = getchar();
    if (first == 'a')
        return 0;
    return settings() / first;
}
