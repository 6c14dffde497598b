#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    int amount;
    char name[4];
    if (getline(&line, &size, stdin) == -1)
        return 0;
    if (sscanf(line, "%3[a-c]=%d", name, &amount) == 2)
        assert(amount < 7);
    free(line);
    return 0;
}
