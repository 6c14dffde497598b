// Both inputs are overwritten before the check: what is said of them names the line, and which time it is set there.
int nondet_int(void);

int main(void) {
    int low = nondet_int(), high = nondet_int(), kept[2];
    __CPROVER_assume(low >= 0 && low < 5 && high >= 0 && high < 5);
    kept[0] = low, kept[1] = high - 1;
    low = kept[1], high = kept[0], low += high;
    high ^= 1, high <<= 1;
    __CPROVER_assert(low != 6, "not six");
}
