/* Structures, unions, bit-fields, arrays, initialisers of every storage duration. */
#include <assert.h>
#include <string.h>

struct p { int x, y; };
struct big { struct p a[2]; char name[8]; int bf : 5; unsigned uf : 3; _Bool b : 1; };
union u { int i; unsigned char c[4]; float f; };

static struct p mk(int a, int b) { struct p r = {a, b}; return r; }
static struct p add(struct p l, struct p r) { l.x += r.x; l.y += r.y; return l; }

static const char *words[] = {"zero", "one", "two"};
int numbers[5] = {1, 2, [4] = 9};
struct big big = {{{1, 2}, {3, 4}}, "hey", -3, 5, 1};
int *last = &numbers[4];
char text[] = "hello";
double half = 1.5;
long minus = -1;
struct p *second = &big.a[1];
struct big again = {.a[0].x = 1, .a[0].x = 2, .name = {'a'}};

int main(void)
{
    assert(strcmp(words[1], "one") == 0 && words[2][1] == 'w');
    assert(numbers[4] == 9 && numbers[2] == 0 && *last == 9 && text[4] == 'o' && sizeof text == 6);
    assert(half == 1.5 && minus == -1 && second->y == 4);
    assert(again.a[0].x == 2 && again.name[0] == 'a' && again.name[1] == 0);
    assert(big.bf == -3 && big.uf == 5 && big.b == 1 && big.name[2] == 'y' && big.name[3] == 0);
    big.bf = 15;
    big.bf++;
    assert(big.bf == -16);
    big.uf = 7;
    big.uf += 2;
    assert(big.uf == 1 && (big.uf = 13) == 5);
    union u u;
    u.i = 0x01020304;
    assert(u.c[0] == 4 && u.c[3] == 1);
    u.f = 1.0f;
    assert(u.i == 0x3f800000);
    struct p q = mk(1, 2), r = {.y = 5};
    q = add(q, r);
    assert(q.x == 1 && q.y == 7 && mk(8, 9).y == 9);
    assert(add(mk(1, 1), add(q, q)).y == 15);
    struct p *literal = &(struct p){6, 7};
    assert(literal->x + literal->y == 13);
    int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int(*row)[3] = matrix;
    assert(row[1][2] == 6 && matrix[1][0] == 4 && *(*(matrix + 1) + 1) == 5);
    char four[4] = "abcd", lines[2][4] = {"ab", "cd"};
    assert(four[3] == 'd' && lines[1][1] == 'd' && lines[0][3] == 0);
    struct big local = big;
    local.a[1] = (struct p){.x = 40};
    assert(local.a[1].x == 40 && local.a[1].y == 0 && big.a[1].x == 3);
    return 0;
}
