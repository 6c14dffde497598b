/* One turn suffices to fail, and no more are unwound; longer runs fail as well. That one door is opened does not follow
   from how it was left. */
int nondet_int(void);

void Open(void) { }
void Close(void) { }

int main(void)
{
    int doors = nondet_int();
    __CPROVER_assume(doors >= 0 && doors <= 3);
    for (int i = 0; i < doors; i++) {
        int left = nondet_int();
        __CPROVER_assume(left >= 0 && left <= 2);
        Open();
        if (left == 2)
            continue;
        Close();
    }
    return 0;
}
