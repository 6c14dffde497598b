/* Balances of an account: the fee is taken after the check. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int balance = __VERIFIER_nondet_int();
    unsigned fee = __VERIFIER_nondet_uint() % 16;
    int months = 0;
    if (balance < 0 || balance > 1000)
        return 0;
    while (months < 3) {
        int spent = __VERIFIER_nondet_int();
        if (spent >= 0 && spent <= balance)
            balance = balance - spent - (int)fee;
        months++;
    }
    if (balance < 0)
        reach_error();
    return 0;
}
