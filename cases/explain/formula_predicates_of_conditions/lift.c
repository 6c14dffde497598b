_Bool nondet_bool(void);
static int level, door;
static void move_up(void) { level++; }

/* The key keeps the door open. */
int main(void)
{
    door = nondet_bool();
    _Bool key = nondet_bool();
    if (door && !key)
        door = 0;
    if (level < 1)
        move_up();
    return 0;
}
