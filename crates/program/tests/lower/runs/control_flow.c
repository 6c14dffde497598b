/* Loops, switches, gotos, recursion, calls through pointers, arrays of variable length. */
#include <assert.h>

static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
static int (*table[2])(int) = {inc, dec};

static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }

static int choose(int v)
{
    int r = 0;
    switch (v) {
    case 1: r = 10; break;
    case 2: r += 5;
    case 3: r += 7; break;
    case 5 ... 9: r = 99; break;
    default: r = -1;
    }
    return r;
}

static int sum_by_goto(int n)
{
    int s = 0;
again:
    if (n > 0) {
        int k = n, *p = &k;
        s += *p;
        n--;
        goto again;
    }
    return s;
}

static int squares(int n)
{
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static int device(int n)
{
    int count = 0, i = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { count++;
    case 3: count++;
    case 2: count++;
    case 1: count++;
            } while (--i > 0);
    }
    return count;
}

int main(void)
{
    assert(fact(5) == 120);
    assert(table[0](4) == 5 && table[1](4) == 3);
    assert(choose(1) == 10 && choose(2) == 12 && choose(3) == 7 && choose(7) == 99 && choose(4) == -1);
    assert(sum_by_goto(4) == 10 && squares(4) == 14 && device(6) == 6);
    int calls = 0;
    for (int y = 0;; y++) {
        if (y == 3)
            continue;
        if (y > 5)
            break;
        calls += y;
    }
    assert(calls == 12);
    do {
        calls--;
    } while (calls > 10);
    assert(calls == 10);
    while (calls > 0 && inc(calls) != 5)
        calls--;
    assert(calls == 4);
    static int kept = 4;
    kept++;
    assert(kept == 5);
    return 0;
}
