_Bool nondet_bool(void);
static void Ask(void) {}
static void Answer(void) {}

/* A run that satisfies the formula goes further in the inner loop than the failing one. */
int main(void)
{
    for (;;) {
        _Bool busy = nondet_bool();
        int attempt;
        Ask();
        for (attempt = 0; attempt < 3; attempt++) {
            if (attempt == 0 && busy)
                break;
            if (attempt == 2)
                Answer();
        }
    }
}
