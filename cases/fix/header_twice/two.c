#include "half.h"

int other_half(int n)
{
    return n - half(n);
}
