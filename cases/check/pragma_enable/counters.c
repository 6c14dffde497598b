/* Checks that are off are switched on from here to there, and in no other file. */
unsigned nondet_unsigned(void);
int nondet_int(void);
unsigned twice(unsigned n);

int main(void)
{
    unsigned n = nondet_unsigned(), m = n + 1;
    int i = nondet_int();
#pragma CPROVER check push
#pragma CPROVER check enable "unsigned-overflow"
#pragma CPROVER check disable "signed-overflow"
    m = m + 2;
    i = i + 3;
#pragma CPROVER check pop
    m = m + 4;
    return (int)(m + twice(n)) != i;
}
