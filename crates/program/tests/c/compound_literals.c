// Objects without names: in blocks, in calls, at file scope.
struct p { int x, y; };
static int sum(const struct p *p, int n) { int s = 0; while (n--) { s += p->x * p->y; p++; } return s; }
static int *file = (int[]) { 4, 5, 6 };
int main(void) {
    int s = 0;
    for (int i = 0; i < 3; i++) {
        struct p *p = &(struct p) { i, i + 1 };
        p->y += 10;
        s += p->x * p->y;
    }
    struct p q = (struct p) { .y = 2 };
    q = (struct p) { q.y, 7 };
    return s + sum((struct p[]) { { 1, 2 }, { 3, 4 } }, 2) * 100 + file[1] * 10000 + (int[]) { 9, 8 }[1] * 100000 + q.x + q.y;
}
