/* Values of every kind as inputs. The parcel is weighed wrongly: `total` counts the last side twice. */
#include <assert.h>
#include <stdbool.h>

enum colour { RED, GREEN = 5, BLUE };
struct parcel {
    enum colour colour;
    short sides[3];
    unsigned light : 3;
};

char nondet_char(void);
bool nondet_bool(void);
double nondet_double(void);
extern unsigned limit;

int main(void)
{
    struct parcel p;
    int weights[3];
    char mark = nondet_char();
    bool urgent = nondet_bool();
    double price = nondet_double();
    int total = 0;
    for (int i = 0; i < 3; i++)
        if (weights[i] > 0 && weights[i] < 100)
            total = total + weights[i];
    if (p.colour == GREEN && p.sides[2] == -1 && p.light == 6 && mark == 'x' && urgent && price > 1.5)
        total = total + weights[2];
    assert(total <= (int)(limit & 1023));
}
