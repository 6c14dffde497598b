/* An overflow of constants, which compilers fold: no run of the compiled program shows it. */
#include <limits.h>

int input(void);

int main(void)
{
    if (input() == 1) {
        int twice = 2 * INT_MAX;
        return twice;
    }
    return 0;
}
