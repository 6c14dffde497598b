#include <stdint.h>
#include <string.h>
#define BASE 0x40011000u
static volatile uint32_t *const table[2] = { (volatile uint32_t *)BASE, (volatile uint32_t *)(BASE + 8) };
int nondet_int(void);
int main(void) {
  int i = nondet_int();
  if (i < 0 || i > 1) return 0;
  volatile uint32_t *p = table[i];
  *p = 3;
  uintptr_t n = (uintptr_t)p;
  __CPROVER_assert(n == BASE || n == BASE + 8, "address");
  uint32_t x = *(volatile uint32_t *)(BASE + 4 * i);
  __CPROVER_assert(x != 5, "five");
  if (p == (void *)-1) return 2;
  uint32_t y = *(uint32_t *)(BASE + 8);
  if (i == 1) __CPROVER_assert(y == 3, "memory");
  memset((void *)(BASE + 12), 0, 4);
  __CPROVER_assert(*(uint32_t *)(BASE + 12) == 0, "zero");
  return 0;
}
