#include <assert.h>
#include <string.h>

int main(void)
{
    char *label = 0;
    char *copy = strdup(label);
    assert(copy != 0);
}
