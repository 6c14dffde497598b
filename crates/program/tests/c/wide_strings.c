// Wide strings: copied, compared, searched.
#include <wchar.h>

static unsigned hash = 1;

static void take(long x)
{
    hash = hash * 31 + (unsigned)x;
}

int main(void)
{
    wchar_t a[16] = L"hello", b[16], c[16];
    static const wchar_t *const words[] = {L"", L"a", L"ab", L"abc", L"b", L"\x7fffffff", L"hello", L"help"};
    wmemset(b, L'x', 16);
    take(wcscpy(b, a) == b);
    take(wcslen(b));
    take(wcsnlen(b, 3)), take(wcsnlen(b, 9));
    wcscat(b, L", you");
    wcsncat(b, L"123456", 3);
    for (int i = 0; i < 16; i++)
        take(b[i]);
    wmemset(c, L'y', 16);
    wcsncpy(c, L"two", 6);
    wcsncpy(c + 8, L"four", 2);
    for (int i = 0; i < 16; i++)
        take(c[i]);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int order = wcscmp(words[i], words[j]), first = wcsncmp(words[i], words[j], 2);
            take((order > 0) - (order < 0)), take((first > 0) - (first < 0));
        }
    take(wcschr(a, L'l') - a), take(wcsrchr(a, L'l') - a), take(wcschr(a, L'z') == 0), take(wcschr(a, 0) - a);
    wmemcpy(c, a, 6), wmemmove(c + 1, c, 6);
    take(wmemcmp(c, a, 1)), take(wmemcmp(c + 1, a, 6)), take(wmemcmp(c, c + 2, 4) > 0);
    take(wmemchr(c, L'o', 16) - c), take(wmemchr(c, L'o', 3) == 0);
    return hash;
}
