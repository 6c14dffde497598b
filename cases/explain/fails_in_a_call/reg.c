#include <assert.h>
unsigned char nondet_uchar(void);
/* bit fields and union */
union reg {
    unsigned char raw;
    struct { unsigned char en : 1, mode : 2, div : 3, irq : 2; } f;
};
static union reg r;
static unsigned freq(void)
{
    if (!r.f.en)
        return 0;
    return 96u / (r.f.div + (r.f.mode == 3 ? 0u : 1u));
}
int main(void)
{
    unsigned char v = nondet_uchar();
    unsigned char w = nondet_uchar();
    r.raw = v;
    if (w & 1)
        r.f.mode++;
    unsigned f = freq();
    assert(f <= 96);
    assert(!(v & 1) || f > 0);
    return 0;
}
