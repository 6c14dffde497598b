// Numbers in strings, pieces of strings, searches, quotients.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static unsigned hash;

static void fold(unsigned long long word)
{
    hash = hash * 31 + (unsigned)(word ^ word >> 32);
}

static void see(double x)
{
    union { double number; unsigned long long bits; } u = {x};
    fold(u.bits);
}

static void numbers(const char *text, int base)
{
    char *end = (char *)text;
    errno = 0;
    fold(strtol(text, &end, base)), fold(end - text), fold(errno);
    errno = 0;
    fold(strtoul(text, &end, base)), fold(end - text), fold(errno);
    errno = 0;
    fold(strtoll(text, 0, base)), fold(strtoull(text, &end, base)), fold(end - text), fold(errno);
    if (base == 10)
        fold(atoi(text)), fold(atol(text)), fold(atoll(text));
}

static void floats(const char *text)
{
    char *end = 0;
    see(strtod(text, &end)), fold(end - text), see(atof(text));
}

static void pieces(void)
{
    char line[] = ",a,,bc;d", copy[] = " x  yz ", part[8] = "ab";
    char *rest = line, *piece, *kept;
    while ((piece = strsep(&rest, ",;")) != 0)
        fold(strlen(piece) * 3 + (piece - line));
    for (piece = strtok_r(copy, " ", &kept); piece; piece = strtok_r(0, " ", &kept))
        fold(strlen(piece) * 5 + (piece - copy));
    const char *text = "hello";
    fold((char *)memmem(text, 5, "lo", 2) - text), fold((char *)memrchr(text, 'l', 5) - text);
    fold(memmem(text, 5, "lx", 2) == 0), fold(strchrnul(text, 'z') - text), fold(strcasestr(text, "LL") - text);
    fold((char *)memccpy(part, text, 'l', 5) - part), fold(part[2]), fold(strcoll("a", "b") < 0);
    fold(strxfrm(part, "abc", 8)), fold(part[2]), fold(stpncpy(part, "xy", 5) - part), fold(part[4]);
    fold(index(text, 'l') - text), fold(rindex(text, 'l') - text), fold(bcmp("ab", "ab", 2));
    fold(ffs(12)), fold(ffsl(0)), fold(ffsll(1LL << 40)), fold(toascii(200));
}

static void quotients(int left, int right)
{
    div_t d = div(left, right);
    ldiv_t l = ldiv(left * 7L, right);
    lldiv_t ll = lldiv(left * 9LL, right);
    fold(d.quot), fold(d.rem), fold(l.quot), fold(l.rem), fold(ll.quot), fold(ll.rem);
}

int main(void)
{
    static const char *texts[] = {
        "0", "12", "-12", "  +34x", "0x1F", "0x", "0xg", "-0x10", "077", "08", "z", "", "   ", "-", "+-3", "2147483647",
        "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615", "99999999999999999999999",
        "zz", "1010", "\t\n7",
    };
    static const int bases[] = {0, 2, 8, 10, 16, 36, 1, 37};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++)
            numbers(texts[i], bases[j]);
    static const char *decimals[] = {"0", "-0", "1.5", "-2.75e3", ".5", "5.", ".", "e5", "1e", "1e+", "123456789.125", "1e22",
                                     "3.14159", " 42abc", "1e-22", "0.1", "-1e-5x", "7e0"};
    for (unsigned i = 0; i < sizeof decimals / sizeof *decimals; i++)
        floats(decimals[i]);
    see(strtof("0.1", 0)), see(strtof("16777.5", 0));
    pieces();
    quotients(7, 2), quotients(-7, 2), quotients(7, -2), quotients(-7, -2), quotients(INT_MAX, 3);
    return hash;
}
