/*
 * Euclid's algorithm on numbers from 1 to 15. Nothing is wrong: the result
 * divides both numbers, and no larger number does.
 *
 *     nearmiss check examples/correct/gcd.c
 */
#include <assert.h>

unsigned nondet_unsigned(void);
void __CPROVER_assume(int);

#define LARGEST 15u

static unsigned gcd(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

int main(void)
{
    unsigned a = nondet_unsigned();
    unsigned b = nondet_unsigned();
    unsigned other = nondet_unsigned();
    unsigned divisor;

    __CPROVER_assume(a >= 1 && a <= LARGEST);
    __CPROVER_assume(b >= 1 && b <= LARGEST);

    divisor = gcd(a, b);
    assert(a % divisor == 0);
    assert(b % divisor == 0);

    __CPROVER_assume(other > divisor && other <= LARGEST);
    assert(a % other != 0 || b % other != 0);
}
