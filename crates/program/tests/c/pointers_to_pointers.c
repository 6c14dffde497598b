// Through two stars, and an array of pointers.
static void move(int **p, int by) { *p += by; }
static void set(int ***p, int *to) { **p = to; }
int main(void) {
    int a[5] = { 1, 2, 3, 4, 5 }, b = 50;
    int *p = a, **pp = &p, *t[3] = { &a[4], &b, p };
    move(pp, 2);
    **pp += 10;
    set(&pp, t[1]);
    *p += 1;
    *t[0] = *t[1] + *t[2];
    return a[2] + b * 100 + a[4] * 10000 + (t[2] == a) * 1000000;
}
