// flags: --unwind 5 --trust main --trust 'ref_*'
/*
 * A parser of settings such as `+12K`: blanks, a sign, digits, and a unit that
 * multiplies. Too large numbers, missing digits and what follows the unit are
 * errors, each with a code of its own.
 */
#include <assert.h>

char nondet_char(void);

#define LENGTH 4
#define LARGEST 99
#define KILO 1024
#define BLOCK 512

enum status { FINE, NO_DIGITS, TOO_LARGE, TRAILING };

struct setting {
    enum status status;
    int value;
    int signed_given;
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

static int unit(char c)
{
    switch (c) {
    case 'k':
    case 'K':
        return KILO;
    case 'b':
        return BLOCK;
    case 'w':
        return 4;
    default:
        return 1;
    }
}

static struct setting parse(const char *text)
{
    struct setting setting = {FINE, 0, 0};
    int negative = 0;
    int factor;

    text = skip_blanks(text);
    if (*text == '-' || *text == '+') {
        negative = *text == '-';
        setting.signed_given = 1;
        text++;
    }
    if (!is_digit(*text)) {
        setting.status = NO_DIGITS;
        return setting;
    }
    while (is_digit(*text)) {
        setting.value = setting.value * 10 + (*text - '0');
        if (setting.value > LARGEST)
            setting.status = TOO_LARGE;
        text++;
    }
    factor = unit(*text);
    if (factor != 1) {
        setting.value *= factor;
        text++;
    }
    if (negative)
        setting.value = -setting.value;
    text = skip_blanks(text);
    if (*text != '\0' && setting.status == FINE)
        setting.status = TRAILING;
    return setting;
}

static int ref_is(char c, const char *set)
{
    for (int i = 0; i < 4 && set[i]; i++)
        if (c == set[i])
            return 1;
    return 0;
}

/* The same from the positions where the parts begin. */
static void ref_check(const char *text, struct setting got)
{
    int sign = 0, digits, after, end;
    int value = 0;

    while (ref_is(text[sign], " \t"))
        sign++;
    digits = sign + ref_is(text[sign], "+-");
    assert(got.signed_given == (digits > sign));
    after = digits;
    while ((unsigned)(text[after] - 48) < 10)
        value = 10 * value + (text[after++] - 48);
    if (after == digits) {
        assert(got.status == NO_DIGITS);
        return;
    }
    assert((got.status == TOO_LARGE) == (value >= 100));
    end = after + ref_is(text[after], "kKbw");
    if (ref_is(text[after], "kK"))
        value = value * 1024;
    else if (text[after] == 'b')
        value = value * 512;
    else if (text[after] == 'w')
        value = value * 4;
    assert(got.value == (text[sign] == '-' ? -value : value));
    while (ref_is(text[end], "\t "))
        end++;
    if (got.status != TOO_LARGE)
        assert((got.status == FINE) == (text[end] == 0));
}

int main(void)
{
    char text[LENGTH];

    for (int i = 0; i < LENGTH - 1; i++)
        text[i] = nondet_char();
    text[LENGTH - 1] = '\0';
    ref_check(text, parse(text));
    return 0;
}
