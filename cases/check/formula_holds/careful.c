void Lock(void);
void Unlock(void);
_Bool nondet_bool(void);

int main(void)
{
    _Bool done = 0;
    while (!done) {
        Lock();
        if (nondet_bool())
            done = nondet_bool();
        Unlock();
    }
    return 0;
}
