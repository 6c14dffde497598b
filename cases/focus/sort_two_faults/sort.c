/* Five numbers of which some order is known are put in order, the largest first, with
   one comparison the wrong way round, and one branch that is a copy of the other. */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int a, b, c, d, e;
    int p, q, r, s, t;
    if (!(a > b && c > d && a > c))
        exit(0);
    if (c > e) {
        p = a;
        if (d > e) {
            if (b > d) {
                s = d, t = e;
                if (b < c)
                    q = b, r = c;
                else
                    q = c, r = b;
            } else {
                q = c, r = d;
                if (b > e)
                    s = b, t = e;
                else
                    s = e, t = b;
            }
        } else if (b > e) {
            s = e, t = d;
            if (b > c)
                q = b, r = c;
            else
                q = c, r = b;
        } else {
            q = c, r = e;
            if (b > d)
                s = b, t = d;
            else
                s = d, t = b;
        }
    } else if (b > c) {
        s = c, t = d;
        if (e > b) {
            r = b;
            if (e > a)
                p = e, q = a;
            else
                p = e, q = a;
        } else {
            p = a, q = b, r = e;
        }
    } else {
        r = c;
        if (a > e)
            p = a, q = e;
        else
            p = e, q = a;
        if (b > d)
            s = b, t = d;
        else
            s = d, t = b;
    }
    assert(!(p < q || q < r || r < s || s < t));
    return 0;
}
