// Neighbours keep their bits.
#include <string.h>
struct s { unsigned x : 4, y : 9, z : 19; };
int main(void) {
    struct s s;
    memset(&s, 0, sizeof s);
    s.x = 0xf; s.z = 0x7ffff; s.y = 0x155;
    unsigned bits;
    memcpy(&bits, &s, sizeof bits);
    s.x = 5; s.y ^= 0x1ff;
    unsigned after;
    memcpy(&after, &s, sizeof after);
    int old = s.y++;
    int product = (s.x += 3) * 2;
    return (int)(bits % 1000003) + (int)(after % 1009) * 3 + old + product + s.y;
}
