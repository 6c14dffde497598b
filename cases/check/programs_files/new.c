#include <stdio.h>
int main(void)
{
    FILE *log = fopen("log.txt", "a");
    puts("done");
    return log == NULL;
}
