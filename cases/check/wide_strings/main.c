#include <wchar.h>

int main(int argc, char **argv)
{
    wchar_t name[8] = L"report", copy[8];
    wcscpy(copy, name);
    if (argc > 1)
        wcscat(copy, L".c");
    return (int)wcslen(copy);
}
