// `case 2` is come to without being asked for: it is not taken, but its line is executed.
int nondet_int(void);

int main(void) {
    int kind = nondet_int(), on = nondet_int(), size = 0;
    if (kind < 1 || kind > 3 || !on)
        return 0;
    switch (kind) {
    case 1:
        size = 1;
    case 2:
        size = size + 2;
        break;
    case 3:
        size = 3;
        break;
    default:
        size = 9;
    }
    __CPROVER_assert(size == 3, "every kind has 3");
}
