/* A valve opens by at most 3 steps at a time; a request beyond that is cut the wrong way round. */
void __VERIFIER_assert(int);
int nondet_int(void);
const char *label = "a|b `c` </details><script>";

int main(void)
{
    int request = nondet_int();
    int opening = 0;
    if (request > 0 && request < 100) {
        if (request > 3)
            opening = request;
        else
            opening = 3;
    }
    __VERIFIER_assert(opening <= 3 || label[0] != 'a');
    return 0;
}
