int nondet_int(void);
#line 71 "made.y"
int main(void)
{
    int n = nondet_int();
    int is_even = n % 2 == 1;
    __CPROVER_assert(is_even == !(n & 1), "even");
}
