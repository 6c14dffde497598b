_Bool nondet_bool(void);
void Take(void);
static void Put(void) {}

/* Nothing is ever taken. */
int main(void)
{
    for (;;)
        if (nondet_bool())
            Put();
}
