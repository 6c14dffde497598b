// A macro that sets a variable twice is executed once: its rows have no times.
int nondet_int(void);

#define BUMP(x) do { (x)++; (x) += 2; } while (0)

int main(void) {
    int level = nondet_int();
    __CPROVER_assume(level >= -9 && level <= 9);
    BUMP(level);
    __CPROVER_assert(level != 3, "not three");
}
