/* The larger of two numbers, taken for the smaller one. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int larger = a < b ? a : b;
    if (larger < a)
        reach_error();
    return 0;
}
