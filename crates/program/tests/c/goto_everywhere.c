// Forward, backward, out of loops, into a block.
int main(void) {
    int i = 0, s = 0;
again:
    s += i;
    if (++i < 5) goto again;
    for (int a = 0; a < 10; a++)
        for (int b = 0; b < 10; b++)
            if (a * b == 42) { s += a * 100 + b * 1000; goto out; }
    s = -1;
out:
    if (s < 0) return s;
    goto inside;
    {
        int hidden;
inside:
        hidden = 3;
        s += hidden * 100000;
    }
    return s;
}
