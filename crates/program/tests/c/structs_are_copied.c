// Assignment, passing and returning copy every member.
struct point { int x, y; };
struct line { struct point from, to; char name[3]; };
static struct point mirror(struct point p) { int t = p.x; p.x = p.y; p.y = t; return p; }
static struct line longer(struct line l, int by) { l.to.x += by; l.name[1] = 'z'; return l; }
int main(void) {
    struct line a = { { 1, 2 }, { 3, 4 }, "ab" }, b = a;
    b.to = mirror(a.from);
    struct line c = longer(b, 10);
    a.from = c.to;
    return a.from.x + a.from.y * 100 + b.to.x * 1000 + b.to.y * 10000 + c.name[1] * 100000 + longer(a, 1).to.x * 50000000;
}
