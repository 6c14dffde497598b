#include <assert.h>
#include <string.h>

unsigned char nondet_uchar(void);

/* Wrong: a byte is missing. */
static void take(unsigned char *room, const unsigned char *from)
{
    memcpy(room, from, 3 - 1);
}

int main(void)
{
    unsigned char sent[3], got[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        sent[i] = nondet_uchar();
    take(got, sent);
    assert(memcmp(sent, got, 3) == 0);
}
