// Vectors of GNU C, lane by lane: operators, comparisons, casts, shuffles, and vectors in records, arrays and calls.
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef signed char c8 __attribute__((vector_size(8)));
typedef short s4 __attribute__((vector_size(8)));
typedef long long l2 __attribute__((vector_size(16)));

static unsigned hash;

static void fold(long long word)
{
    hash = hash * 31 + (unsigned)(word ^ word >> 32);
}

static void fold4(v4 v)
{
    for (int i = 0; i < 4; i++)
        fold(v[i]);
}

struct holder {
    char tag;
    v4 v;
};

static v4 global = {1, -2, 3};

static struct holder swapped(struct holder h, v4 by)
{
    h.v = __builtin_shuffle(h.v, by);
    h.tag++;
    return h;
}

static v4 *next(v4 *p)
{
    fold(7);
    return p + 1;
}

int main(void)
{
    v4 a = {5, -6, 700, 8}, b = {3, 4, -5, 6};
    u4 u = {1, 2, 3, 0xffffffff};
    fold4(a + b), fold4(a - b), fold4(a * b), fold4(a / b), fold4(a % b), fold4(a & b), fold4(a | b), fold4(a ^ b);
    fold4(-a), fold4(~a), fold4(+a), fold4((a & 0xffff) << 2), fold4(a >> 1), fold4(a >> (v4){1, 2, 3, 4}), fold4((v4)(u >> 1)), fold4(2 - a);
    fold4((v4)(u + 2)), fold4((v4)(u * u)), fold4(1 << (b & 3));
    fold4(a < b), fold4(a <= b), fold4(a > b), fold4(a >= b), fold4(a == b), fold4(a != (v4){5, 0, 700, 0}), fold4(u > 2), fold4(u < (u4)a);
    fold4((a > b & a) | (a <= b & b));
    a += b, fold4(a), a -= 1, fold4(a), a *= (v4){1, 2, 1, 2}, fold4(a), a &= 0xffff, a <<= 1, fold4(a), a ^= b, fold4(a), a %= 97, fold4(a);
    fold4(a++), fold4(a), fold4(--a), fold4(a--), fold4(++a);
    a[2] = -1, a[1]++, a[0] += 3, fold4(a);
    f4 f = {1.5f, -2.5f, 1e30f, 0}, g = f * 2.0f - 1;
    fold4(f < g), fold4(__builtin_convertvector(g * (f4){1, 1, 0, 1}, v4)), fold4((v4)f), fold4((v4)-f), f++, fold4((v4)(f / 3));
    d2 d = {0.1, 7};
    d = d * d + 1;
    l2 bits = (l2)d, less = d < 2.0;
    fold(bits[0]), fold(bits[1]), fold(less[0]), fold(less[1]);
    b16 bytes = (b16)a;
    bytes += (unsigned char)200, bytes = bytes * bytes, bytes = bytes >> 3;
    for (int i = 0; i < 16; i++)
        fold(bytes[i]);
    c8 small = {1, -2, 3, -4, 100, -100, 7, 8};
    small = small / 2 - (small > 3);
    fold((long long)small);
    s4 four = {1, 2, 3, 4};
    fold((long long)(four * four)), fold4(__builtin_convertvector(four, v4));
    fold4(__builtin_shuffle(a, b, (v4){0, 5, 10, -1})), fold4(__builtin_shufflevector(a, b, 7, 0, 4, 3));
    struct holder h = {'x', {9, 8, 7, 6}};
    h = swapped(h, (v4){3, 3, 0, 1});
    fold4(h.v), fold(h.tag), fold4(swapped(h, b).v);
    v4 list[3] = {a, b, {1}};
    *next(list) += list[2], fold4(list[1]), fold4(list[1] = global), fold((list[0] + list[2])[3]);
    global[3] = sizeof(v4) + _Alignof(v4), fold4(global), fold4(hash & 1 ? global : b);
    union { v4 v; short parts[8]; } both = {.v = a};
    fold(both.parts[3]), fold(sizeof(struct holder));
    return hash;
}
