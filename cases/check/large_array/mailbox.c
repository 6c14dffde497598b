#include <assert.h>
#include <string.h>

unsigned nondet_uint(void);

static int mailbox[1000000];
static int copy[1000000];

int main(void)
{
    unsigned mine = nondet_uint(), yours = nondet_uint(), byte = nondet_uint();
    if (mine >= 1000000 || yours >= 1000000 || byte >= sizeof mailbox)
        return 0;
    mailbox[mine] = 1;
    mailbox[yours] = 2;
    memcpy(copy, mailbox, sizeof mailbox);
    ((unsigned char *)copy)[byte] = 9;
    assert(mailbox[mine] == 1 || mine == yours);
    assert(copy[yours] == 2 || byte / sizeof(int) == yours);
    assert(copy[mine] != 0x0901);
    return 0;
}
