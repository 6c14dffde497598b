#include <assert.h>
#include <stdio.h>

/* What getline writes is not known: the program cannot be followed any further. */
int main(void)
{
    char *line = 0;
    size_t size = 0;
    getline(&line, &size, stdin);
    assert(size == 0);
    return 0;
}
