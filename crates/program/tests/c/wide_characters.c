// Kinds of wide characters, parts of wide strings.
#include <wchar.h>
#include <wctype.h>

static unsigned hash = 1;

static void take(long x)
{
    hash = hash * 31 + (unsigned)x;
}

static void kinds(wint_t c)
{
    take(iswalnum(c) != 0), take(iswalpha(c) != 0), take(iswblank(c) != 0), take(iswcntrl(c) != 0), take(iswdigit(c) != 0);
    take(iswgraph(c) != 0), take(iswlower(c) != 0), take(iswprint(c) != 0), take(iswpunct(c) != 0), take(iswspace(c) != 0);
    take(iswupper(c) != 0), take(iswxdigit(c) != 0), take(towlower(c)), take(towupper(c));
}

static long where(const wchar_t *found, const wchar_t *string)
{
    return found == 0 ? -1 : found - string;
}

static const wchar_t *const numbers[] = {
    L"12", L" -0x1fz", L"+077", L"1.5e3x", L"-.25", L"0x1.8p-3", L"12\x663", L"\x2003 5", L"", L"x", L"  ", L"1e", L"0x", L"zz",
    L"12 and so on, until there are more characters than any number has: it ends before",
};
static const wchar_t *const large[] = {L"99999999999999999999", L"-99999999999999999999", L"-9223372036854775808", L"18446744073709551615"};

static void number(const wchar_t *string)
{
    wchar_t *end;
    take(wcstod(string, &end) * 64), take(end - string);
    take(wcstof(string, &end) * 64), take(end - string);
    take(wcstold(string, 0) * 64);
    static const int bases[] = {0, 8, 10, 16, 36};
    for (int i = 0; i < 5; i++) {
        take(wcstol(string, &end, bases[i])), take(end - string);
        take(wcstoul(string, &end, bases[i])), take(end - string);
        take(wcstoll(string, 0, bases[i])), take(wcstoull(string, 0, bases[i]));
    }
}

static void classes(wint_t c)
{
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit", "none", ""};
    for (int i = 0; i < 14; i++)
        take(iswctype(c, wctype(names[i])) != 0), take(wctype(names[i]) != 0);
}

int main(void)
{
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        number(numbers[i]);
    for (int i = 0; i < 4; i++)
        take(wcstol(large[i], 0, 10)), take(wcstoul(large[i], 0, 10)), take(wcstoll(large[i], 0, 10)), take(wcstoull(large[i], 0, 10));
    wchar_t *end;
    take(wcstod(L"inf", &end) > 1e308), take(wcstof(L"-INFINITYx", &end) < -1e38f), take(*end);
    for (wint_t c = 0; c < 200; c++)
        classes(c);
    classes(0x3b1), classes(WEOF);
    static const wchar_t *const words[] = {L"", L"a", L"ab", L"abc", L"babab", L"\x7fffffff", L"cab", L"xyz"};
    for (wint_t c = 0; c < 300; c++)
        kinds(c);
    kinds(0x3b1), kinds(0x660), kinds(0x2003), kinds(0x1f600), kinds(0x80000041), kinds(WEOF);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            const wchar_t *string = words[i], *other = words[j];
            take(wcsspn(string, other)), take(wcscspn(string, other));
            take(where(wcspbrk(string, other), string)), take(where(wcsstr(string, other), string));
        }
    wchar_t text[] = L",,one, two;three,;", *rest, *piece;
    for (piece = wcstok(text, L",;", &rest); piece != 0; piece = wcstok(0, L"; ,", &rest))
        take(piece - text), take(wcslen(piece));
    take(wcstok(0, L",", &rest) == 0);
    for (unsigned i = 0; i < sizeof text / sizeof *text; i++)
        take(text[i]);
    wchar_t none[] = L";;";
    take(wcstok(none, L";", &rest) == 0), take(wcstok(0, L";", &rest) == 0);
    return hash;
}
