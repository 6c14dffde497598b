extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "sum.c", 3, "reach_error"); }
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += n;
    if (sum != 3 * n) {
    ERROR: {
        reach_error();
        abort();
    }
    }
    return 0;
}
