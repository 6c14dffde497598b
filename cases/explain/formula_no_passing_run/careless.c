void Lock(void);
void Unlock(void);
_Bool nondet_bool(void);

/* Nobody ever unlocks. */
int main(void)
{
    int rounds = 0;
    Lock();
    while (nondet_bool())
        rounds = 1;
    return rounds;
}
