// Big records on the way in and out; arrays inside are copied too.
struct grid { int cell[6][6]; int count; };
static struct grid fill(struct grid g, int k) { for (int i = 0; i < 6; i++) g.cell[i][(i * k) % 6] += k; g.count += k; return g; }
static int total(struct grid g) { int s = 0; for (int i = 0; i < 36; i++) s = (s * 5 + g.cell[i / 6][i % 6]) % 10007; g.count = 0; return s; }
int main(void) {
    struct grid g = { 0 }, h;
    h = fill(fill(g, 3), 5);
    return total(h) + total(g) + h.count * 100000 + fill(h, 1).count;
}
