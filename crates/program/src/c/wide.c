/* Models of wchar.h and wctype.h, behind those of library.c: what string.h and ctype.h have for characters, for wide ones. */
typedef __WCHAR_TYPE__ wide;
typedef unsigned int wint_t;

static size_t bytes_of(size_t size) { return size > (size_t)-1 / sizeof(wide) ? (size_t)-1 : size * sizeof(wide); }

size_t wcslen(const wide *string)
{
    for (size_t length = 0;; length++) {
        __nearmiss_claim_readable(string + length, sizeof(wide), "wcslen: $1 points to a terminated string");
        if (string[length] == 0)
            return length;
    }
}

size_t wcsnlen(const wide *string, size_t most)
{
    for (size_t length = 0; length < most; length++) {
        __nearmiss_claim_readable(string + length, sizeof(wide), "wcsnlen: $1 points to a string or to $2 characters");
        if (string[length] == 0)
            return length;
    }
    return most;
}

wide *wcscpy(wide *target, const wide *source)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(source + i, sizeof(wide), "wcscpy: $2 points to a terminated string");
        wide c = source[i];
        __nearmiss_claim_writable(target + i, sizeof(wide), "wcscpy: $2 fits into $1");
        target[i] = c;
        if (c == 0)
            return target;
    }
}

wide *wcsncpy(wide *target, const wide *source, size_t size)
{
    _Bool ended = 0;
    for (size_t i = 0; i < size; i++) {
        wide c = 0;
        if (!ended) {
            __nearmiss_claim_readable(source + i, sizeof(wide), "wcsncpy: $2 points to a string or to $3 characters");
            c = source[i];
        }
        __nearmiss_claim_writable(target + i, sizeof(wide), "wcsncpy: $3 characters can be written to $1");
        target[i] = c;
        ended = c == 0;
    }
    return target;
}

wide *wcscat(wide *target, const wide *source)
{
    size_t end = 0;
    for (;; end++) {
        __nearmiss_claim_readable(target + end, sizeof(wide), "wcscat: $1 points to a terminated string");
        if (target[end] == 0)
            break;
    }
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(source + i, sizeof(wide), "wcscat: $2 points to a terminated string");
        wide c = source[i];
        __nearmiss_claim_writable(target + end + i, sizeof(wide), "wcscat: $2 fits behind what $1 holds");
        target[end + i] = c;
        if (c == 0)
            return target;
    }
}

wide *wcsncat(wide *target, const wide *source, size_t size)
{
    size_t end = 0, i = 0;
    for (;; end++) {
        __nearmiss_claim_readable(target + end, sizeof(wide), "wcsncat: $1 points to a terminated string");
        if (target[end] == 0)
            break;
    }
    for (; i < size; i++) {
        __nearmiss_claim_readable(source + i, sizeof(wide), "wcsncat: $2 points to a string or to $3 characters");
        wide c = source[i];
        if (c == 0)
            break;
        __nearmiss_claim_writable(target + end + i, sizeof(wide), "wcsncat: $2 fits behind what $1 holds");
        target[end + i] = c;
    }
    __nearmiss_claim_writable(target + end + i, sizeof(wide), "wcsncat: $2 fits behind what $1 holds");
    target[end + i] = 0;
    return target;
}

int wcscmp(const wide *left, const wide *right)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(left + i, sizeof(wide), "wcscmp: $1 points to a terminated string");
        __nearmiss_claim_readable(right + i, sizeof(wide), "wcscmp: $2 points to a terminated string");
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
        if (left[i] == 0)
            return 0;
    }
}

int wcsncmp(const wide *left, const wide *right, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        __nearmiss_claim_readable(left + i, sizeof(wide), "wcsncmp: $1 points to a string or to $3 characters");
        __nearmiss_claim_readable(right + i, sizeof(wide), "wcsncmp: $2 points to a string or to $3 characters");
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
        if (left[i] == 0)
            return 0;
    }
    return 0;
}

wide *wcschr(const wide *string, wide wanted)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, sizeof(wide), "wcschr: $1 points to a terminated string");
        if (string[i] == wanted)
            return (wide *)(string + i);
        if (string[i] == 0)
            return 0;
    }
}

wide *wcsrchr(const wide *string, wide wanted)
{
    wide *found = 0;
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, sizeof(wide), "wcsrchr: $1 points to a terminated string");
        if (string[i] == wanted)
            found = (wide *)(string + i);
        if (string[i] == 0)
            return found;
    }
}

wide *wmemchr(const wide *memory, wide wanted, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        __nearmiss_claim_readable(memory + i, sizeof(wide), "wmemchr: $3 characters can be read from $1");
        if (memory[i] == wanted)
            return (wide *)(memory + i);
    }
    return 0;
}

int wmemcmp(const wide *left, const wide *right, size_t size)
{
    __nearmiss_claim_readable(left, bytes_of(size), "wmemcmp: $3 characters can be read from $1");
    __nearmiss_claim_readable(right, bytes_of(size), "wmemcmp: $3 characters can be read from $2");
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

wide *wmemcpy(wide *target, const wide *source, size_t size)
{
    __nearmiss_claim_readable(source, bytes_of(size), "wmemcpy: $3 characters can be read from $2");
    __nearmiss_claim_writable(target, bytes_of(size), "wmemcpy: $3 characters can be written to $1");
    __nearmiss_claim(size == 0 || target + size <= source || source + size <= target, "wmemcpy: $1 and $2 do not overlap");
    __nearmiss_copy(target, source, bytes_of(size));
    return target;
}

wide *wmemmove(wide *target, const wide *source, size_t size)
{
    __nearmiss_claim_readable(source, bytes_of(size), "wmemmove: $3 characters can be read from $2");
    __nearmiss_claim_writable(target, bytes_of(size), "wmemmove: $3 characters can be written to $1");
    __nearmiss_copy(target, source, bytes_of(size));
    return target;
}

wide *wmemset(wide *target, wide value, size_t size)
{
    __nearmiss_claim_writable(target, bytes_of(size), "wmemset: $3 characters can be written to $1");
    for (size_t i = 0; i < size; i++)
        target[i] = value;
    return target;
}

wide *wcsstr(const wide *string, const wide *wanted)
{
    for (size_t i = 0;; i++) {
        for (size_t j = 0;; j++) {
            __nearmiss_claim_readable(wanted + j, sizeof(wide), "wcsstr: $2 points to a terminated string");
            if (wanted[j] == 0)
                return (wide *)(string + i);
            __nearmiss_claim_readable(string + i + j, sizeof(wide), "wcsstr: $1 points to a terminated string");
            if (string[i + j] != wanted[j])
                break;
        }
        if (string[i] == 0)
            return 0;
    }
}

static _Bool is_wide_one_of(wide c, const wide *set)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(set + i, sizeof(wide), "$2 points to a terminated string");
        if (set[i] == 0)
            return 0;
        if (set[i] == c)
            return 1;
    }
}

size_t wcsspn(const wide *string, const wide *set)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, sizeof(wide), "wcsspn: $1 points to a terminated string");
        if (string[i] == 0 || !is_wide_one_of(string[i], set))
            return i;
    }
}

size_t wcscspn(const wide *string, const wide *set)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, sizeof(wide), "wcscspn: $1 points to a terminated string");
        if (string[i] == 0 || is_wide_one_of(string[i], set))
            return i;
    }
}

wide *wcspbrk(const wide *string, const wide *set)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, sizeof(wide), "wcspbrk: $1 points to a terminated string");
        if (string[i] == 0)
            return 0;
        if (is_wide_one_of(string[i], set))
            return (wide *)(string + i);
    }
}

/* Behind the last piece there is nothing. */
wide *wcstok(wide *string, const wide *set, wide **rest)
{
    __nearmiss_claim_writable(rest, sizeof(wide *), "wcstok: a pointer can be written to $3");
    if (string == 0)
        string = *rest;
    if (string == 0)
        return 0;
    string = string + wcsspn(string, set);
    if (*string == 0) {
        *rest = 0;
        return 0;
    }
    wide *end = string + wcscspn(string, set);
    if (*end == 0) {
        *rest = 0;
        return string;
    }
    __nearmiss_claim_writable(end, sizeof(wide), "wcstok: the characters at $1 can be written");
    *end = 0;
    *rest = end + 1;
    return string;
}

/* In the C locale, what is beyond ASCII is of no kind, and neither is WEOF. */
int iswalnum(wint_t c) { return isalnum(c); }
int iswalpha(wint_t c) { return isalpha(c); }
int iswblank(wint_t c) { return isblank(c); }
int iswcntrl(wint_t c) { return iscntrl(c); }
int iswdigit(wint_t c) { return isdigit(c); }
int iswgraph(wint_t c) { return isgraph(c); }
int iswlower(wint_t c) { return islower(c); }
int iswprint(wint_t c) { return isprint(c); }
int iswpunct(wint_t c) { return ispunct(c); }
int iswspace(wint_t c) { return isspace(c); }
int iswupper(wint_t c) { return isupper(c); }
int iswxdigit(wint_t c) { return isxdigit(c); }
wint_t towlower(wint_t c) { return tolower(c); }
wint_t towupper(wint_t c) { return toupper(c); }

/* What a class is, is for the library to say, but that one of no such name is 0. */
static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"};

unsigned long wctype(const char *name)
{
    for (int i = 0; i < 12; i++)
        if (strcmp(name, classes[i]) == 0)
            return i + 1;
    return 0;
}

int iswctype(wint_t c, unsigned long class)
{
    switch (class) {
    case 0: return 0;
    case 1: return isalnum(c);
    case 2: return isalpha(c);
    case 3: return isblank(c);
    case 4: return iscntrl(c);
    case 5: return isdigit(c);
    case 6: return isgraph(c);
    case 7: return islower(c);
    case 8: return isprint(c);
    case 9: return ispunct(c);
    case 10: return isspace(c);
    case 11: return isupper(c);
    case 12: return isxdigit(c);
    }
    __nearmiss_unsupported("iswctype of what wctype did not give");
    return 0;
}

/* A number is spelled in ASCII: what is not, ends it. */
#define LONGEST 80

static void narrow(const wide *string, char *text)
{
    for (int i = 0;; i++) {
        __nearmiss_claim_readable(string + i, sizeof(wide), "$1 points to a terminated string");
        wide c = string[i];
        _Bool ends = !(isalnum(c) || isspace(c) || c == '.' || c == '+' || c == '-' || c == '(' || c == ')' || c == '_');
        if (i == LONGEST && !ends)
            __nearmiss_unsupported("a number of so many wide characters");
        text[i] = ends ? 0 : c;
        if (ends)
            return;
    }
}

static void tell_end(const wide *string, wide **end, size_t length)
{
    if (end == 0)
        return;
    __nearmiss_claim_writable(end, sizeof(wide *), "a pointer can be written to $2");
    *end = (wide *)string + length;
}

#define WIDE_FLOAT(type, name, of) \
    type name(const wide *string, wide **end) \
    { \
        char text[LONGEST + 1], *last; \
        narrow(string, text); \
        type value = of(text, &last); \
        tell_end(string, end, last - text); \
        return value; \
    }
WIDE_FLOAT(double, wcstod, strtod)
WIDE_FLOAT(float, wcstof, strtof)
WIDE_FLOAT(long double, wcstold, strtold)

#define WIDE_NUMBER(type, name, of) \
    type name(const wide *string, wide **end, int base) \
    { \
        char text[LONGEST + 1], *last; \
        narrow(string, text); \
        type value = of(text, &last, base); \
        tell_end(string, end, last - text); \
        return value; \
    }
WIDE_NUMBER(long, wcstol, strtol)
WIDE_NUMBER(unsigned long, wcstoul, strtoul)
WIDE_NUMBER(long long, wcstoll, strtoll)
WIDE_NUMBER(unsigned long long, wcstoull, strtoull)
