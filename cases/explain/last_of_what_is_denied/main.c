#include <assert.h>
int nondet_int(void);
/* scheduler: pick the ready task with highest priority */
#define N 3
struct task { int prio; int ready; int budget; };
static struct task T[N];
static int idle;
static int runnable(int i) { return T[i].ready && T[i].budget > 0; }
static int pick(void)
{
    int best = -1;
    for (int i = 0; i < N; i++) {
        if (!runnable(i)) continue;
        if (best < 0 || T[i].prio > T[best].prio) best = i;
        if (T[best].prio == 3) break;
    }
    if (best < 0) { idle++; return 0; }
    T[best].budget--;
    return best;
}
int main(void)
{
    int a = nondet_int(), b = nondet_int(), c = nondet_int(), m = nondet_int();
    __CPROVER_assume(a >= 0 && a <= 4 && b >= 0 && b <= 4 && c >= 0 && c <= 4);
    __CPROVER_assume(m >= 0 && m <= 7);
    T[0].prio = a; T[1].prio = b; T[2].prio = c;
    for (int i = 0; i < N; i++) { T[i].ready = (m >> i) & 1; T[i].budget = 1; }
    int t = pick();
    assert(idle || (T[t].ready && !(runnable(0) && T[0].prio > T[t].prio) && !(runnable(2) && T[2].prio > T[t].prio)));
    return 0;
}
