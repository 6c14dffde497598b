#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char command[8];
    int level, stops = 0;
    float factor;
    for (int i = 0; i < 2; i++)
        if (fscanf(stdin, "%7s %*d %d %f", command, &level, &factor) == 3 && strcmp(command, "stop") == 0)
            stops++;
    assert(stops == 0 || level != 7 || factor != 2.5f);
    return 0;
}
