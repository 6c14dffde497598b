int nondet_int(void);

int main(void)
{
    switch (nondet_int() & 3) {
    case 0:
    case 1:
    case 2:
        return 0;
    }
    __builtin_trap();
}
