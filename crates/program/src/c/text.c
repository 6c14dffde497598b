/* Models of string.h and stdlib.h, behind those of library.c: searches, copies and pieces of strings, numbers in strings, quotients. */

/* More of strings. */

void *memrchr(const void *memory, int wanted, size_t size)
{
    const unsigned char *bytes = memory;
    __nearmiss_claim_readable(memory, size, "memrchr: $3 bytes can be read from $1");
    __nearmiss_claim_valid(memory, size, 3, "memrchr: $1 is a valid pointer, also for 0 bytes");
    for (size_t i = size; i > 0; i--)
        if (bytes[i - 1] == (unsigned char)wanted)
            return (void *)(bytes + (i - 1));
    return 0;
}

void *memccpy(void *target, const void *source, int last, size_t size)
{
    unsigned char *to = target;
    const unsigned char *from = source;
    __nearmiss_claim_valid_string(source, size, 4, "memccpy: $2 is a valid pointer, also for 0 bytes");
    __nearmiss_claim_valid_string(target, size, 4, "memccpy: $1 is a valid pointer, also for 0 bytes");
    for (size_t i = 0; i < size; i++) {
        __nearmiss_claim_readable(from + i, 1, "memccpy: the bytes up to $3, or $4 bytes, can be read from $2");
        __nearmiss_claim_writable(to + i, 1, "memccpy: the bytes up to $3, or $4 bytes, can be written to $1");
        to[i] = from[i];
        if (from[i] == (unsigned char)last)
            return to + i + 1;
    }
    return 0;
}

void *memmem(const void *memory, size_t size, const void *wanted, size_t length)
{
    const unsigned char *bytes = memory, *part = wanted;
    __nearmiss_claim_readable(memory, size, "memmem: $2 bytes can be read from $1");
    __nearmiss_claim_readable(wanted, length, "memmem: $4 bytes can be read from $3");
    __nearmiss_claim_valid(memory, size, 2, "memmem: $1 is a valid pointer, also for 0 bytes");
    __nearmiss_claim_valid(wanted, length, 4, "memmem: $3 is a valid pointer, also for 0 bytes");
    for (size_t i = 0; i + length <= size; i++) {
        size_t same = 0;
        while (same < length && bytes[i + same] == part[same])
            same++;
        if (same == length)
            return (void *)(bytes + i);
    }
    return 0;
}

int bcmp(const void *left, const void *right, size_t size) { return memcmp(left, right, size); }
char *index(const char *string, int wanted) { return strchr(string, wanted); }
char *rindex(const char *string, int wanted) { return strrchr(string, wanted); }

char *strchrnul(const char *string, int wanted)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, 1, "strchrnul: $1 points to a terminated string");
        if (string[i] == (char)wanted || string[i] == 0)
            return (char *)(string + i);
    }
}

char *strcasestr(const char *string, const char *wanted)
{
    for (size_t i = 0;; i++) {
        for (size_t j = 0;; j++) {
            __nearmiss_claim_readable(wanted + j, 1, "strcasestr: $2 points to a terminated string");
            if (wanted[j] == 0)
                return (char *)(string + i);
            __nearmiss_claim_readable(string + i + j, 1, "strcasestr: $1 points to a terminated string");
            if (tolower((unsigned char)string[i + j]) != tolower((unsigned char)wanted[j]))
                break;
        }
        if (string[i] == 0)
            return 0;
    }
}

/* In the C locale, characters are in the order of their codes. */
int strcoll(const char *left, const char *right) { return strcmp(left, right); }

size_t strxfrm(char *target, const char *source, size_t size)
{
    size_t length = strlen(source);
    for (size_t i = 0; i < size && i <= length; i++) {
        __nearmiss_claim_writable(target + i, 1, "strxfrm: $2, or $3 bytes of it, fit into $1");
        target[i] = source[i];
    }
    return length;
}

/* Of what lies at the target, the first argument, up to so many characters, the third. */
static size_t length_within(const char *string, size_t most)
{
    size_t length = 0;
    while (length < most) {
        __nearmiss_claim_readable(string + length, 1, "$1 points to a string or to $3 characters");
        if (string[length] == 0)
            break;
        length++;
    }
    return length;
}

char *stpncpy(char *target, const char *source, size_t size)
{
    strncpy(target, source, size);
    return target + length_within(target, size);
}

size_t strlcpy(char *target, const char *source, size_t size)
{
    size_t length = strlen(source);
    for (size_t i = 0; i + 1 < size && i < length; i++) {
        __nearmiss_claim_writable(target + i, 1, "strlcpy: $3 bytes can be written to $1");
        target[i] = source[i];
    }
    if (size > 0) {
        size_t end = length < size ? length : size - 1;
        __nearmiss_claim_writable(target + end, 1, "strlcpy: $3 bytes can be written to $1");
        target[end] = 0;
    }
    return length;
}

size_t strlcat(char *target, const char *source, size_t size)
{
    size_t start = length_within(target, size);
    return start == size ? size + strlen(source) : start + strlcpy(target + start, source, size - start);
}

char *strtok_r(char *string, const char *set, char **rest)
{
    __nearmiss_claim_writable(rest, sizeof(char *), "strtok_r: a pointer can be written to $3");
    if (string == 0)
        string = *rest;
    if (string == 0)
        return 0;
    string = string + strspn(string, set);
    if (*string == 0) {
        *rest = string;
        return 0;
    }
    char *end = string + strcspn(string, set);
    if (*end != 0) {
        __nearmiss_claim_writable(end, 1, "strtok_r: the characters at $1 can be written");
        *end = 0;
        end++;
    }
    *rest = end;
    return string;
}

char *strsep(char **rest, const char *set)
{
    __nearmiss_claim_writable(rest, sizeof(char *), "strsep: a pointer can be written to $1");
    char *string = *rest;
    if (string == 0)
        return 0;
    char *end = string + strcspn(string, set);
    if (*end == 0) {
        *rest = 0;
        return string;
    }
    __nearmiss_claim_writable(end, 1, "strsep: the characters at *$1 can be written");
    *end = 0;
    *rest = end + 1;
    return string;
}

int toascii(int c) { return c & 127; }

/* Numbers in strings. errno starts as 0, and only these functions set it. */

int errno;
#define EINVAL 22
#define ERANGE 34

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

static char character(const char *string, size_t at)
{
    __nearmiss_claim_readable(string + at, 1, "$1 points to a terminated string");
    return string[at];
}

static size_t after_spaces(const char *string)
{
    size_t at = 0;
    while (isspace((unsigned char)character(string, at)))
        at++;
    return at;
}

/* The size of a number, no more than most if it is positive and one more if it is not: then errno says so. */
static unsigned long long whole_number(const char *string, char **end, int base, unsigned long long most,
                                       unsigned long long least, _Bool *minus)
{
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    size_t at = after_spaces(string);
    char sign = character(string, at);
    *minus = sign == '-';
    if (sign == '-' || sign == '+')
        at++;
    _Bool zero = character(string, at) == '0';
    if ((base == 0 || base == 16) && zero && (character(string, at + 1) | 32) == 'x' &&
        digit_of(character(string, at + 2)) < 16) {
        base = 16;
        at += 2;
    }
    if (base == 0)
        base = zero ? 8 : 10;
    unsigned long long size = 0;
    _Bool any = 0, over = 0;
    for (;;) {
        int digit = digit_of(character(string, at));
        if (digit >= base)
            break;
        over = over || size > (-1ULL - digit) / base;
        size = size * base + digit;
        any = 1;
        at++;
    }
    if (end != 0) {
        __nearmiss_claim_writable(end, sizeof(char *), "a pointer can be written to $2");
        *end = (char *)string + (any ? at : 0);
    }
    unsigned long long limit = *minus ? least : most;
    if (over || size > limit) {
        errno = ERANGE;
        return limit;
    }
    return size;
}

long strtol(const char *string, char **end, int base)
{
    _Bool minus = 0;
    unsigned long long size = whole_number(string, end, base, __LONG_MAX__, __LONG_MAX__ + 1ULL, &minus);
    return minus ? -size : size;
}

long long strtoll(const char *string, char **end, int base)
{
    _Bool minus = 0;
    unsigned long long size = whole_number(string, end, base, __LONG_LONG_MAX__, __LONG_LONG_MAX__ + 1ULL, &minus);
    return minus ? -size : size;
}

/* A number that is too large is the largest, whatever its sign. */
unsigned long strtoul(const char *string, char **end, int base)
{
    _Bool minus = 0;
    unsigned long long most = (unsigned long)-1;
    int before = errno;
    errno = 0;
    unsigned long long size = whole_number(string, end, base, most, most, &minus);
    if (errno == 0)
        errno = before;
    else if (errno == ERANGE)
        minus = 0;
    return minus ? -size : size;
}

unsigned long long strtoull(const char *string, char **end, int base)
{
    _Bool minus = 0;
    int before = errno;
    errno = 0;
    unsigned long long size = whole_number(string, end, base, -1ULL, -1ULL, &minus);
    if (errno == 0)
        errno = before;
    else if (errno == ERANGE)
        minus = 0;
    return minus ? -size : size;
}

int atoi(const char *string) { return (int)strtol(string, 0, 10); }
long atol(const char *string) { return strtol(string, 0, 10); }
long long atoll(const char *string) { return strtoll(string, 0, 10); }

/* How a float is spelled: size times a power of ten or of two; an infinity; or a NaN, whose size is its tag. */
struct spelled {
    enum { DECIMAL, HEXADECIMAL, INFINITE, NO_NUMBER } kind;
    _Bool minus;
    unsigned long long size;
    int exponent;
};

/* How long a word is, if it stands there in small or capital letters. */
static size_t word_at(const char *string, size_t at, const char *word)
{
    size_t length = 0;
    for (; word[length] != 0; length++)
        if ((character(string, at + length) | 32) != word[length])
            return 0;
    return length;
}

/* The number that tells a NaN from others: 0 if what stands there is none. */
static unsigned long long tag_of(const char *string, size_t at, size_t end)
{
    unsigned long long base = 10, tag = 0;
    if (at < end && string[at] == '0')
        base = at + 2 < end && (string[at + 1] | 32) == 'x' ? 16 : 8;
    for (at += base == 16 ? 2 : 0; at < end; at++) {
        unsigned long long digit = digit_of(string[at]);
        if (digit >= base)
            return 0;
        tag = tag > (-1ULL - digit) / base ? -1ULL : tag * base + digit;
    }
    return tag;
}

/* Where letters, digits and underscores end. */
static size_t after_tag(const char *string, size_t at)
{
    while (isalnum((unsigned char)character(string, at)) || character(string, at) == '_')
        at++;
    return at;
}

/* Where an infinity or a NaN ends that starts here, or here if there is none. */
static size_t after_word(const char *string, size_t at, struct spelled *spelled)
{
    size_t infinite = word_at(string, at, "inf");
    if (infinite != 0) {
        size_t whole = word_at(string, at, "infinity");
        spelled->kind = INFINITE;
        return at + (whole != 0 ? whole : infinite);
    }
    if (word_at(string, at, "nan") == 0)
        return at;
    spelled->kind = NO_NUMBER;
    at += 3;
    if (character(string, at) == '(') {
        size_t close = after_tag(string, at + 1);
        if (character(string, close) == ')') {
            spelled->size = tag_of(string, at + 1, close);
            at = close + 1;
        }
    }
    return at;
}

/* Where the digits end, with the point among them. */
static size_t after_digits(const char *string, size_t at, unsigned long long most, struct spelled *spelled)
{
    int base = spelled->kind == HEXADECIMAL ? 16 : 10;
    _Bool point = 0;
    for (;; at++) {
        char c = character(string, at);
        if (c == '.' && !point) {
            point = 1;
            continue;
        }
        int digit = digit_of(c);
        if (digit >= base)
            return at;
        if (spelled->size > (most - (base - 1)) / base)
            __nearmiss_unsupported("a float in a string with so many digits");
        spelled->size = spelled->size * base + digit;
        if (point)
            spelled->exponent -= base == 16 ? 4 : 1;
    }
}

/* Where an exponent ends that starts here, or here if there is none. */
static size_t after_exponent(const char *string, size_t at, struct spelled *spelled)
{
    if ((character(string, at) | 32) != (spelled->kind == HEXADECIMAL ? 'p' : 'e'))
        return at;
    char sign = character(string, at + 1);
    size_t digits = at + (sign == '-' || sign == '+' ? 2 : 1);
    int written = 0;
    if (character(string, digits) < '0' || character(string, digits) > '9')
        return at;
    for (at = digits; character(string, at) >= '0' && character(string, at) <= '9'; at++)
        if (written < 10000)
            written = written * 10 + (string[at] - '0');
    spelled->exponent += sign == '-' ? -written : written;
    return at;
}

/* Where digits start: a point may be before them. */
static _Bool digits_at(const char *string, size_t at, int base)
{
    if (character(string, at) == '.')
        at++;
    return digit_of(character(string, at)) < base;
}

/* Up to so many digits are an integer that is exact, and so are small powers of ten: then one operation rounds once. What is beyond
 * is not supported. */
static struct spelled spelled_float(const char *string, char **end, unsigned long long most, int power)
{
    struct spelled spelled = {DECIMAL, 0, 0, 0};
    size_t start = after_spaces(string);
    char sign = character(string, start);
    if (sign == '-' || sign == '+')
        start++;
    size_t at = after_word(string, start, &spelled);
    if (character(string, start) == '0' && (character(string, start + 1) | 32) == 'x' && digits_at(string, start + 2, 16)) {
        spelled.kind = HEXADECIMAL;
        at = after_exponent(string, after_digits(string, start + 2, -1ULL, &spelled), &spelled);
        int zeros = spelled.size == 0 ? 0 : __builtin_ctzll(spelled.size);
        spelled.size = spelled.size >> zeros;
        spelled.exponent += zeros;
        if (spelled.size > most)
            __nearmiss_unsupported("a float in a string with so many digits");
    } else if (digits_at(string, start, 10)) {
        at = after_exponent(string, after_digits(string, start, most, &spelled), &spelled);
        if (spelled.size != 0 && (spelled.exponent > power || spelled.exponent < -power))
            __nearmiss_unsupported("a float in a string with such an exponent");
    }
    /* With its sign, since it is rounded as the mode says. */
    spelled.minus = at != start && sign == '-';
    if (end != 0) {
        __nearmiss_claim_writable(end, sizeof(char *), "a pointer can be written to $2");
        *end = (char *)string + (at == start ? 0 : at);
    }
    return spelled;
}

double scalbln(double x, long by);
float scalblnf(float x, long by);
long double scalblnl(long double x, long by);

double __nearmiss_double_of_bits(unsigned long long bits);
float __nearmiss_float_of_bits(__UINT32_TYPE__ bits);
long double __nearmiss_long_double_of_bits(unsigned __int128 bits);

/* As many bits of the tag as there is room for, as the machine's library has it. Without one it is the NaN that operations make, here of the other
 * sign where these make the negative one (put_float in format.c). */
#ifdef NEARMISS_TRIALS
#define OTHER_SIGN(tag) (NEARMISS_MADE_NAN_IS_NEGATIVE && (tag) == 0)
#else
#define OTHER_SIGN(tag) 0
#endif
static double tagged(unsigned long long tag)
{
    return __nearmiss_double_of_bits((unsigned long long)OTHER_SIGN(tag) << 63 | 0xfffULL << 51 | (tag & -1ULL >> 13));
}
static float taggedf(unsigned long long tag)
{
    return __nearmiss_float_of_bits((unsigned long)OTHER_SIGN(tag) << 31 | 0x1ffUL << 22 | (tag & 0x3fffff));
}

static long double taggedl(unsigned long long tag)
{
    if (sizeof(long double) == sizeof(double))
        return tagged(tag);
    return __nearmiss_long_double_of_bits((unsigned __int128)OTHER_SIGN(tag) << 79 | (unsigned __int128)0x1ffff << 62 | (tag & -1ULL >> 2));
}

#define NUMBER(type, suffix) \
    type nan##suffix(const char *tag) \
    { \
        size_t end = after_tag(tag, 0); \
        return tagged##suffix(tag[end] == 0 ? tag_of(tag, 0, end) : 0); \
    } \
    static type number##suffix(struct spelled spelled) \
    { \
        type value = spelled.size, scale = 1; \
        if (spelled.kind == INFINITE) \
            value = __builtin_inf(); \
        if (spelled.kind == NO_NUMBER) \
            value = tagged##suffix(spelled.size); \
        if (spelled.minus) \
            value = -value; \
        if (spelled.size == 0 || spelled.kind == NO_NUMBER) \
            return value; \
        if (spelled.kind == HEXADECIMAL) \
            return scalbln##suffix(value, spelled.exponent); \
        for (int i = 0; i < (spelled.exponent < 0 ? -spelled.exponent : spelled.exponent); i++) \
            scale = scale * 10; \
        return spelled.exponent < 0 ? value / scale : value * scale; \
    }
NUMBER(float, f)
NUMBER(double, )
NUMBER(long double, l)

double strtod(const char *string, char **end) { return number(spelled_float(string, end, 0x1fffffffffffff, 22)); }
float strtof(const char *string, char **end) { return numberf(spelled_float(string, end, 0xffffff, 10)); }
double atof(const char *string) { return number(spelled_float(string, 0, 0x1fffffffffffff, 22)); }

long double strtold(const char *string, char **end)
{
    if (sizeof(long double) == sizeof(double))
        return strtod(string, end);
    return numberl(spelled_float(string, end, -1ULL, 27));
}

/* Quotients with remainders. */

typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;

div_t div(int left, int right)
{
    __nearmiss_claim(right != 0, "div: $2 is not 0");
    __nearmiss_claim(left != -__INT_MAX__ - 1 || right != -1, "div: no overflow in $1 / $2");
    div_t result = {left / right, left % right};
    return result;
}

ldiv_t ldiv(long left, long right)
{
    __nearmiss_claim(right != 0, "ldiv: $2 is not 0");
    __nearmiss_claim(left != -__LONG_MAX__ - 1 || right != -1, "ldiv: no overflow in $1 / $2");
    ldiv_t result = {left / right, left % right};
    return result;
}

lldiv_t lldiv(long long left, long long right)
{
    __nearmiss_claim(right != 0, "lldiv: $2 is not 0");
    __nearmiss_claim(left != -__LONG_LONG_MAX__ - 1 || right != -1, "lldiv: no overflow in $1 / $2");
    lldiv_t result = {left / right, left % right};
    return result;
}

typedef __INTMAX_TYPE__ intmax_t;
typedef struct { intmax_t quot; intmax_t rem; } imaxdiv_t;

intmax_t imaxabs(intmax_t x)
{
    __nearmiss_claim(x != -__INTMAX_MAX__ - 1, "imaxabs: no overflow for $1");
    return x < 0 ? -x : x;
}

imaxdiv_t imaxdiv(intmax_t left, intmax_t right)
{
    __nearmiss_claim(right != 0, "imaxdiv: $2 is not 0");
    __nearmiss_claim(left != -__INTMAX_MAX__ - 1 || right != -1, "imaxdiv: no overflow in $1 / $2");
    imaxdiv_t result = {left / right, left % right};
    return result;
}

int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }

int posix_memalign(void **target, size_t alignment, size_t size)
{
    __nearmiss_claim_writable(target, sizeof(void *), "posix_memalign: a pointer can be written to $1");
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return 22;
    if (__nearmiss_may_fail())
        return 12;
    void *object = given(__nearmiss_allocate(size, 0));
    if (object == 0)
        return 12;
    *target = object;
    return 0;
}

/* What _FORTIFY_SOURCE makes of these; the last argument is the size of the target, as far as the compiler knows it. */
void *__builtin___memcpy_chk(void *to, const void *from, size_t size, size_t room) { return memcpy(to, from, size); }
void *__builtin___memmove_chk(void *to, const void *from, size_t size, size_t room) { return memmove(to, from, size); }
void *__builtin___memset_chk(void *to, int value, size_t size, size_t room) { return memset(to, value, size); }
char *__builtin___strcpy_chk(char *to, const char *from, size_t room) { return strcpy(to, from); }
char *__builtin___strncpy_chk(char *to, const char *from, size_t size, size_t room) { return strncpy(to, from, size); }
char *__builtin___strcat_chk(char *to, const char *from, size_t room) { return strcat(to, from); }
char *__builtin___strncat_chk(char *to, const char *from, size_t size, size_t room) { return strncat(to, from, size); }
