int nondet_int(void);

int main(void) {
    int a = nondet_int(), b = nondet_int();
    int least = a < b ? a : a;
    __CPROVER_assert(least <= b, "least");
}
