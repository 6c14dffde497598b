// Floats in strings: decimal, hexadecimal, infinite, and none.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long hash = 1;

static void take(unsigned long x)
{
    hash = (hash ^ x) * 0x9e3779b97f4a7c15UL;
    hash ^= hash >> 29;
}

static void keep(double x, long end)
{
    unsigned long bits;
    memcpy(&bits, &x, 8);
    take(bits), take(end);
}

static void keep_float(float x, long end)
{
    unsigned bits;
    memcpy(&bits, &x, 4);
    take(bits), take(end);
}

static void keep_long(long double x, long end)
{
    unsigned long bits;
    unsigned short head;
    memcpy(&bits, &x, 8), memcpy(&head, (char *)&x + 8, 2);
    take(bits), take(head), take(end);
}

static const char *const words[] = {
    "0x", "0xg", "0x.", "0x.p1", "0x1p", "0x1p+", "0x.8", " \t-0x1.8p3z", "+0XaBc.DefP-3", "-0x0p5", "0x0p99999999999", "0x.0000000001p0", "0x1..8",
    "0x1.fffffep127", "0x1p-149", "0x1p-150", "0x3p-150", "-0x1p-1074", "0x3p-1075", "0x1p-1075", "0x1.8p-1075", "0x1p1023", "0x1p1024", "-0x1p99999",
    "0x1p-99999", "0x1p128", "0x1p-16445", "0x1p-16446", "0x1p16383", "0x1p16384", "0x3p-16446", "0x80000000", "0x000000000000000000001",
    "inf", "INFINITY", "-infinit", "+iNf", "infinity1", "in", "i", "nan", "-nan", "nan()", "nan(1-)", "nan(", "NaN(_", "na", "- 1", "-", ".", ".e1", "",
    "x", "1", "-1.5e3", "0.1", "-0", ".5.", "1e", "1e+", "12e-3q", "3.e2", "1e10", "1677720e-10", "-.0e7", "0e999999",
    "nan(1)", "-NAN(123)x", "nan(0x1f)", "nan(017)", "nan(08)", "nan(0x)", "nan(0)", "nan(abc)", "nan(1_)", "nan(99999999999999999999)", "nan(0xfffffffffffffff)",
};
static const char *const long_words[] = {
    "18446744073709551600", "0.1234567890123456", "1e27", "-3e-27", "0xffffffffffffffffp-3", "0x1.fffffffffffffp1023", "0xffffffffffffffffp-16446",
    "0x8000000000000001p-16447", "0x1.23456789abcdef0p5",
};

int main(void)
{
    char *end;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        double number = strtod(words[i], &end);
        keep(number, end - words[i]);
        float small = strtof(words[i], &end);
        keep_float(small, end - words[i]);
        long double large = strtold(words[i], &end);
        keep_long(large, end - words[i]);
        keep(atof(words[i]), i);
    }
    for (unsigned i = 0; i < sizeof long_words / sizeof *long_words; i++) {
        long double large = strtold(long_words[i], &end);
        keep_long(large, end - long_words[i]);
    }
    keep(strtod("0x1.fffffffffffffp1023", 0), 0);
    keep(strtod("0x1.fffffffffffffp-1023", 0), 0);
    static const char *const tags[] = {"", "1", "123", "0x7f", "0777", "1 ", "x", "0xffffffffffffffffff", "-1", "1(", "+2"};
    for (unsigned i = 0; i < sizeof tags / sizeof *tags; i++)
        keep(nan(tags[i]), 0), keep_float(nanf(tags[i]), 0), keep_long(nanl(tags[i]), 0);
    double x = 0;
    take(sscanf("-1.5e1 rest", "%lf", &x));
    keep(x, 0);
    static const char *const scanned[] = {
        "0x1.8p3 7", "-0xAp-1,", "0xg", "0x", " 0x.8", "inf 3", "-INFINITY3", "infi", "infinit", "infx", "in", "i", "nan 4", "NaNe", "na", "n", "infe", "0x1e2",
    };
    for (unsigned i = 0; i < sizeof scanned / sizeof *scanned; i++) {
        float small = 1;
        int count = 0;
        take(sscanf(scanned[i], "%lf%n", &x, &count)), keep(x, count);
        take(sscanf(scanned[i], "%f", &small)), keep_float(small, 0);
    }
    return hash >> 32;
}
