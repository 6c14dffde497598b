// Designators move on, later ones win, the rest is zero.
struct p { int x, y; int v[4]; };
static struct p g = { .y = 3, .v = { [2] = 7, 8 } };
int main(void) {
    int a[8] = { 1, [5] = 6, 7, [0] = 9, [2] = 4 };
    struct p l[2] = { [1].v[3] = 5, [0] = { 1, 2, { 3 } }, [1].y = 6 };
    struct { struct p in; int z; } n = { .in.v[1] = 4, .z = 2, .in.x = 1 };
    int s = 0;
    for (int i = 0; i < 8; i++) s = s * 10 + a[i];
    return s / 10 + g.v[2] + g.v[3] + g.y + l[1].v[3] * 2 + l[1].y * 3 + l[0].v[0] + n.in.v[1] + n.z + n.in.x;
}
