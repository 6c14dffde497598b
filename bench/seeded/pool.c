// flags: --unwind 9 --trust main --trust 'check_*'
/*
 * A pool of blocks: requests of some bytes get a run of neighbouring blocks,
 * the first that fits; a bitmap says which are taken, an array how many belong
 * together. What is given out does not overlap and is found again.
 */
#include <assert.h>

unsigned char nondet_uchar(void);
int nondet_int(void);
void __CPROVER_assume(int);

#define BLOCKS 8
#define BLOCK_SIZE 16
#define NONE (-1)

static struct pool {
    unsigned taken;
    unsigned char length[BLOCKS];
    int available;
} pool;

static void pool_start(void)
{
    pool.taken = 0;
    pool.available = BLOCKS;
}

static int blocks_for(int bytes)
{
    return (bytes + BLOCK_SIZE - 1) / BLOCK_SIZE;
}

static unsigned mask(int first, int count)
{
    return ((1u << count) - 1u) << first;
}

static int pool_allocate(int bytes)
{
    int count = blocks_for(bytes);

    if (bytes <= 0 || count > pool.available)
        return NONE;
    for (int first = 0; first + count <= BLOCKS; first++) {
        if ((pool.taken & mask(first, count)) == 0) {
            pool.taken |= mask(first, count);
            pool.length[first] = (unsigned char)count;
            pool.available -= count;
            return first;
        }
    }
    return NONE;
}

static int pool_release(int first)
{
    int count;

    if (first < 0 || first >= BLOCKS)
        return 0;
    count = pool.length[first];
    if (count == 0)
        return 0;
    pool.taken &= ~mask(first, count);
    pool.length[first] = 0;
    pool.available += count;
    return 1;
}

/* Who has a block: the request that got it, or 0. */
static unsigned char owner[8];

static void check_free(void)
{
    int available = 0;

    for (int i = 0; i < 8; i++) {
        assert((pool.taken >> i & 1) == (owner[i] != 0));
        if (!owner[i])
            available++;
    }
    assert(pool.available == available);
    assert(pool.taken <= 255);
}

static void check_given(int first, int bytes, unsigned char who)
{
    int count = 0;

    if (first == -1) {
        int run = 0;

        for (int i = 0; i < 8; i++) {
            run = owner[i] ? 0 : run + 16;
            assert(bytes <= 0 || run < bytes);
        }
        return;
    }
    assert(bytes > 0 && first >= 0 && first < 8);
    for (int i = 0; i < 8; i++) {
        if (i >= first && count < bytes) {
            assert(!owner[i]);
            owner[i] = who;
            count += 16;
        }
    }
    assert(count >= bytes);
}

int main(void)
{
    pool_start();
    for (unsigned char step = 1; step <= 3; step++) {
        if (nondet_int()) {
            int bytes = nondet_uchar() - 10;

            check_given(pool_allocate(bytes), bytes, step);
        } else {
            int first = nondet_uchar() - 1;
            int fits = first >= 0 && first < 8 && owner[first] && (first == 0 || owner[first - 1] != owner[first]);

            assert(pool_release(first) == fits);
            if (fits) {
                unsigned char who = owner[first];

                for (int i = 0; i < 8; i++)
                    if (owner[i] == who)
                        owner[i] = 0;
            }
        }
        check_free();
    }
    return 0;
}
