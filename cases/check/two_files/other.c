#include "other.h"

static int hidden(int n)
{
    return n + 1;
}

int other(int n)
{
    return hidden(n) * 2;
}
