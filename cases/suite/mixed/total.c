#include "limit.h"

unsigned char nondet_uchar(void);

int main(void) {
    unsigned char total = 0;
    for (int i = 0; i < 3; i++) {
        unsigned char part = nondet_uchar();
        if (part < 5)
            total += part;
    }
    __CPROVER_assert(total <= LIMIT, "small");
}
