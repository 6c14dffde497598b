unsigned char nondet_uchar(void);

enum state { OFF, ON, FAULT = 5 };

static enum state now;

static void set(unsigned v)
{
    now = (enum state)(v & 7);
}

int main(void)
{
    set(nondet_uchar());
    return now;
}
