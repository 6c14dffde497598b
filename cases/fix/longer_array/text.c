/* The zero behind the text has no room. */
#include <assert.h>

#define LONGEST 4

int nondet_int(void);

static char buffer[LONGEST];

static void put(int n)
{
    for (int i = 0; i < n; i++)
        buffer[i] = 'a';
    buffer[n] = 0;
}

int main(void)
{
    int n = nondet_int();
    if (n < 0 || n > LONGEST)
        return 0;
    put(n);
    assert(n == 0 || buffer[n - 1] == 'a');
}
