// `out` holds nothing before the loop. What it would hold had the loop ended earlier is no difference of these runs.
char nondet_char(void);

static int copy(char *to, const char *from, int room) {
    int n = 0;
    while ((*to++ = *from++) != 0)
        if (++n >= room)
            break;
    return n;
}

int main(void) {
    char in[4], out[3];
    for (int i = 0; i < 3; i++)
        in[i] = nondet_char();
    in[3] = 0;
    int n = copy(out, in, 3);
    __CPROVER_assert(out[n > 2 ? 2 : n] == 0, "it ends");
}
