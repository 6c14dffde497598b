#include <assert.h>
#include <wchar.h>
#include <wctype.h>

wchar_t nondet_wchar(void);

int main(void)
{
    wchar_t word[3] = {nondet_wchar(), nondet_wchar(), 0}, *rest;
    assert(!iswalpha(word[0]) || towlower(towupper(word[0])) == towlower(word[0]));
    assert(!iswdigit(word[0]) || wcsspn(word, L"0123456789") > 0);
    assert(wcsstr(word, L"ab") == 0 || wcspbrk(word, L"xb") == word + 1);
    wchar_t *piece = wcstok(word, L",", &rest);
    assert(piece == 0 || wcslen(piece) + wcscspn(word, L",") > 1);
    return 0;
}
