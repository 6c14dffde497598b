// The loop goes round twice: each round asks once for IS_DIGIT, and the parts of its body have their own truths.
#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')

char nondet_char(void);

int main(void) {
    char text[3] = {nondet_char(), nondet_char(), 0};
    int at = 0, value = 0;
    while (IS_DIGIT(text[at])) {
        value = value * 10 + (text[at] - '0');
        at++;
    }
    __CPROVER_assert(at < 2, "one digit");
}
