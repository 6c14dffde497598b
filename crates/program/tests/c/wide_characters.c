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

int main(void)
{
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
