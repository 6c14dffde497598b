int nondet_int(void);

/* A compiler that takes overflow for impossible compares `room` with 7 and subtracts nothing. */
int main(void)
{
    int room = nondet_int();
    if (room - 2 <= 5)
        return 1;
    return 0;
}
