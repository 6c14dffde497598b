// Records with arrays of variable length, an extension of gcc: sizes, offsets, copies, pointers, unions.
#include <stddef.h>
#include <string.h>

static unsigned hash = 1;

static void take(long x)
{
    hash = hash * 31 + (unsigned)x;
}

static int lengths(int *n) { return (*n)++; }

static void plain(int n)
{
    struct s { int k; char a[n]; short z; long last; } v, w, *p = &w;
    take(sizeof v), take(sizeof(struct s)), take((char *)&v.z - (char *)&v), take((char *)&p->last - (char *)p);
    take(offsetof(struct s, z)), take(_Alignof(struct s));
    n += 3;
    take(sizeof v), take(sizeof p->a);
    memset(&v, 0, sizeof v);
    v.k = 1, v.z = -2, v.last = 1L << 40;
    for (int i = 0; i < sizeof v.a; i++)
        v.a[i] = i * 3;
    w = v;
    take(p->k), take(p->z), take(p->last >> 38), take(p->a[sizeof v.a - 1]);
    p->a[0] = 77, p->z++;
    v = *p;
    take(v.a[0]), take(v.z);
    memcpy(&w, &v, sizeof w);
    take(memcmp(&v, &w, sizeof v) == 0);
    (void)v;
}

static void arrays(int n, int m)
{
    struct s { char c; int rows[2][n]; struct { short x; char y[m]; int z; } in; unsigned char tail; } v[3], *p = v;
    take(sizeof v), take(sizeof v[0]), take(sizeof v[0].in);
    memset(v, 1, sizeof v);
    for (int i = 0; i < 3; i++) {
        v[i].c = i;
        for (int j = 0; j < n; j++)
            v[i].rows[1][j] = i * 10 + j;
        (p + i)->in.z = i - 7;
        v[i].in.y[m - 1] = i + 20;
        v[i].tail = 250 + i;
    }
    p = p + 1;
    take(p->c), take(p->rows[1][n - 1]), take(p[1].in.z), take((p - 1)->in.y[m - 1]), take(v[2].tail), take(v[1].rows[0][0]);
    take(p++ == v + 1), take(p == v + 2), take((--p)->c), take((p--)->c), take(p->tail);
    p++;
    for (struct s *q = v; q != v + 3; q++)
        take(q->in.z);
    v[0] = v[2];
    take(v[0].tail), take(v[0].rows[1][0]);
    unsigned char *bytes = (unsigned char *)v;
    for (unsigned i = 0; i < sizeof v; i++)
        take(bytes[i]);
}

static void unions(int n)
{
    union u { char c[n]; int i; long l[2]; } v;
    take(sizeof v);
    memset(&v, 0, sizeof v);
    v.l[1] = 5, v.i = 258;
    take(v.c[0]), take(v.c[1]), take(v.c[n - 1]);
}

static void packed(int n)
{
    struct __attribute__((packed)) s { unsigned b : 3, d : 7; short a[n]; int z; char y[n + 1]; long e; } w;
    w.b = 5, w.d = 100, w.z = -9, w.e = 1L << 33, w.a[n - 1] = 300, w.y[n] = 3;
    take(sizeof w), take(w.b), take(w.d), take(w.z), take(w.e >> 30), take(w.a[n - 1]), take(w.y[n]), take((char *)&w.e - (char *)&w);
}

int main(void)
{
    int n = 2;
    struct once { int a[lengths(&n)]; char c; } v;
    take(n), take(sizeof v), take(sizeof v), take(n);
    for (int i = 1; i < 10; i++)
        plain(i), packed(i), unions(i * 4);
    arrays(1, 3), arrays(4, 2), arrays(3, 9);
    return hash;
}
