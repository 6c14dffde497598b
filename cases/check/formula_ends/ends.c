int nondet_int(void);
static int doors;

static void open_door(void)
{
    doors++;
}

static void close_door(void)
{
    doors--;
}

int main(void)
{
    int guests = nondet_int();
    open_door();
    if (guests > 10)
        return 1;
    close_door();
    return 0;
}
