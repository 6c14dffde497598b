#include <assert.h>
int nondet_int(void);
/* allocator with a free list of indices */
enum { N = 3, NIL = -1 };
static int nxt[N], head, used[N];
static void init(void) { for (int i = 0; i < N; i++) nxt[i] = i + 1 < N ? i + 1 : NIL; head = 0; }
static int alloc(void) {
    if (head == NIL) return NIL;
    int i = head;
    head = nxt[i];
    used[i] = 1;
    return i;
}
static void release(int i) {
    if (i < 0 || i >= N) return;
    nxt[i] = head;
    head = i;
    used[i] = 0;
}
int main(void) {
    init();
    int last = NIL;
    for (int k = 0; k < 4; k++) {
        int op = nondet_int();
        switch (op) {
        case 1: {
            int j = alloc();
            assert(j == NIL || j != last);
            last = j;
            break;
        }
        default:
            break;
        case 2:
            release(last);   /* bug: last not cleared */
        }
    }
    return 0;
}
