/* Only what is assumed makes it right; the patch is one of the file, not of what was read. */
int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    int rest = 0;
    if (n > 7) rest = n % 8; else rest = n + 1;
    __CPROVER_assert(rest >= 0 && rest <= 7, "an octal digit");
}
