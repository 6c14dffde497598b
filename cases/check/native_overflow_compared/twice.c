int nondet_int(void);

/* A compiler that takes overflow for impossible compares `half` with 2 and multiplies nothing. */
int main(void)
{
    int half = nondet_int();
    if (half * 2 == 4)
        return 1;
    return 0;
}
