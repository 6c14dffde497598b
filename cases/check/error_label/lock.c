/* SV-COMP's old way to say that something must not happen: a label. */
int nondet_int(void);

int main(void)
{
    int taken = nondet_int(), wanted = nondet_int();
    if (taken > 3 && wanted == taken)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
