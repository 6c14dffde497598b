_Bool nondet_bool(void);
void drain(void);
static int level;

/* Rain fills the tank to the brim; it should be drained then. */
int main(void)
{
    while (1) {
        _Bool rain = nondet_bool();
        if (rain && level < 4)
            level++;
        if (level == 3) {
            drain();
            level = 0;
        }
        if (level == 2 && rain)
            level = 4;
    }
}
