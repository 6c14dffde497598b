/* A write to flash: nobody asks whether the end of the block is still within it. */
#include <assert.h>
#include <stdint.h>

#define MEM_SIZE 16
#define OK 0
#define ERROR (-1)

unsigned nondet_uint(void);
uint8_t nondet_byte(void);

static uint8_t memory[MEM_SIZE];

static int store(unsigned address, const uint8_t *data, unsigned length)
{
    if (address >= MEM_SIZE)
        return ERROR;
    for (unsigned i = 0; i < length; i++)
        memory[address + i] = data[i];
    return OK;
}

int main(void)
{
    uint8_t data[4];
    for (int i = 0; i < 4; i++)
        data[i] = nondet_byte();
    unsigned address = nondet_uint(), length = nondet_uint() % 5;
    int done = store(address, data, length);
    if (done == OK)
        assert(address + length <= MEM_SIZE);
}
