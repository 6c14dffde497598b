enum light { RED, GREEN, YELLOW };

/* GREEN is forgotten. */
static enum light next(enum light now)
{
    enum light then = now;

    if (now == YELLOW)
        then = RED;
    if (now == RED)
        then = GREEN;
    return then;
}

int main(void)
{
    unsigned steps;
    enum light light = RED;

    __CPROVER_assume(steps < 6);
    for (unsigned i = 0; i < steps; i++) {
        enum light before = light;

        light = next(light);
        __CPROVER_assert(light == (before + 1) % 3, "one after the other");
    }
}
