#include <assert.h>
#include "other.h"

int main(void)
{
    int value = other(LIMIT);
    assert(value < EXTRA);
}
