// Other assertions are passed over, also where the one that is asked for stands in a macro within an expression.
int nondet_int(void);

#define REQUIRE(c) (__CPROVER_assert(c, "required"), 1)

static int twice(int value) { return REQUIRE(value > 1) ? 2 * value : 0; }

int main(void) {
    int size = nondet_int(), level = nondet_int();
    REQUIRE(level < 100);
    for (int i = 0; i < 2 && REQUIRE(size != 5); i++)
        level--;
    return twice(size % 50) > level && REQUIRE(size < 7);
}
