/* The middle of two numbers, as it is in many textbooks; `reach_error` is out of reach. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
    int middle = (low + high) / 2;
    if (low == high && middle != low && low < 1000)
        reach_error();
    return 0;
}
