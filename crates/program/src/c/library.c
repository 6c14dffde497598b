/* Models of the C library, for programs that call it and do not define it.
 *
 * Every call in the user's text gets its own copy of the model, in which every place in the text is that call. No
 * check is made here but those that are written down, with words for the user in which $1 stands for the text of the
 * first argument, and so on. What starts with __nearmiss_ is given its meaning by lowering (lower/library.rs).
 */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef struct __nearmiss_file { int __number; } FILE;

/* How floats are rounded: 0 to nearest, 1 below, 2 above, 3 toward zero (lower/rounding.rs). */
#ifdef NEARMISS_ROUNDING
int __CPROVER_rounding_mode = NEARMISS_ROUNDING;
#else
int __CPROVER_rounding_mode;
#endif

void *__nearmiss_allocate(size_t size, _Bool zeroed);
void __nearmiss_free(void *pointer);
void __nearmiss_copy(void *target, const void *source, size_t size);
void __nearmiss_set(void *target, int value, size_t size);
size_t __nearmiss_object_size(const void *pointer);
void __nearmiss_claim(_Bool condition, const char *text);
void __nearmiss_claim_stream(const void *stream, const char *text);
void __nearmiss_claim_readable(const void *pointer, size_t size, const char *text);
void __nearmiss_claim_writable(void *pointer, size_t size, const char *text);
void __nearmiss_claim_freeable(void *pointer, const char *text);
/* C17, 7.24.1 and 7.22.5: a pointer is valid, one past the end at most, also where there are 0 elements. The argument of
 * the user's call that has this number says how many there are: where it is never 0, no claim is made. The second is
 * about what is claimed of each character, which is a check of pointers. */
void __nearmiss_claim_valid(const void *pointer, size_t size, int argument, const char *text);
void __nearmiss_claim_valid_string(const void *pointer, size_t size, int argument, const char *text);
void __nearmiss_assume(_Bool condition);
_Bool __nearmiss_may_fail(void);
_Bool __nearmiss_input_bool(void);
int __nearmiss_input_int(void);
void __nearmiss_unsupported(const char *what);

/* With --memory-leak-check: how many objects of malloc and its kin live. */

#ifdef NEARMISS_LEAKS
static size_t __nearmiss_live_objects;
void __nearmiss_claim_no_leak(_Bool condition, const char *text);

static void claim_no_leak(void)
{
    __nearmiss_claim_no_leak(__nearmiss_live_objects == 0, "all memory that was allocated is freed");
}

static void *given(void *object)
{
    (void)claim_no_leak;
    if (object != 0)
        __nearmiss_live_objects++;
    return object;
}

static void taken(void *object)
{
    if (object != 0)
        __nearmiss_live_objects--;
}
#else
#define given(object) (object)
#define taken(object) ((void)0)
#endif

/* Memory. */

void *malloc(size_t size)
{
    if (__nearmiss_may_fail())
        return 0;
    return given(__nearmiss_allocate(size, 0));
}

void *calloc(size_t count, size_t size)
{
    if (__nearmiss_may_fail())
        return 0;
    /* Products that do not fit are far beyond any object; halves of a word are cheap to tell. */
    if (((count | size) >> (4 * sizeof(size_t))) != 0 && count != 0 && size != 0)
        return 0;
    return given(__nearmiss_allocate(count * size, 1));
}

void free(void *pointer)
{
    __nearmiss_claim_freeable(pointer, "free: $1 is NULL or the start of allocated memory that is not freed yet");
    taken(pointer);
    __nearmiss_free(pointer);
}

void *realloc(void *pointer, size_t size)
{
    __nearmiss_claim_freeable(pointer, "realloc: $1 is NULL or the start of allocated memory that is not freed yet");
    if (pointer == 0) {
        if (__nearmiss_may_fail())
            return 0;
        return given(__nearmiss_allocate(size, 0));
    }
    if (size == 0) {
        taken(pointer);
        __nearmiss_free(pointer);
        return 0;
    }
    if (__nearmiss_may_fail())
        return 0;
    void *fresh = given(__nearmiss_allocate(size, 0));
    if (fresh == 0)
        return 0;
    size_t old = __nearmiss_object_size(pointer);
    __nearmiss_copy(fresh, pointer, old < size ? old : size);
    taken(pointer);
    __nearmiss_free(pointer);
    return fresh;
}

void *reallocarray(void *pointer, size_t count, size_t size)
{
    if (((count | size) >> (4 * sizeof(size_t))) != 0 && count != 0 && size != 0)
        return 0;
    return realloc(pointer, count * size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    if (alignment == 0 || (alignment & (alignment - 1)) != 0)
        __nearmiss_unsupported("aligned_alloc with an alignment that is no power of two");
    if (__nearmiss_may_fail())
        return 0;
    return given(__nearmiss_allocate(size, 0));
}

void *memcpy(void *target, const void *source, size_t size)
{
    size_t to = (size_t)target, from = (size_t)source;
    __nearmiss_claim_readable(source, size, "memcpy: $3 bytes can be read from $2");
    __nearmiss_claim_writable(target, size, "memcpy: $3 bytes can be written to $1");
    __nearmiss_claim(size == 0 || to + size <= from || from + size <= to, "memcpy: $1 and $2 do not overlap");
    __nearmiss_claim_valid(source, size, 3, "memcpy: $2 is a valid pointer, also for 0 bytes");
    __nearmiss_claim_valid(target, size, 3, "memcpy: $1 is a valid pointer, also for 0 bytes");
    __nearmiss_copy(target, source, size);
    return target;
}

void *mempcpy(void *target, const void *source, size_t size)
{
    __nearmiss_claim_readable(source, size, "mempcpy: $3 bytes can be read from $2");
    __nearmiss_claim_writable(target, size, "mempcpy: $3 bytes can be written to $1");
    __nearmiss_claim_valid(source, size, 3, "mempcpy: $2 is a valid pointer, also for 0 bytes");
    __nearmiss_claim_valid(target, size, 3, "mempcpy: $1 is a valid pointer, also for 0 bytes");
    __nearmiss_copy(target, source, size);
    return (char *)target + size;
}

void *memmove(void *target, const void *source, size_t size)
{
    __nearmiss_claim_readable(source, size, "memmove: $3 bytes can be read from $2");
    __nearmiss_claim_writable(target, size, "memmove: $3 bytes can be written to $1");
    __nearmiss_claim_valid(source, size, 3, "memmove: $2 is a valid pointer, also for 0 bytes");
    __nearmiss_claim_valid(target, size, 3, "memmove: $1 is a valid pointer, also for 0 bytes");
    __nearmiss_copy(target, source, size);
    return target;
}

void *memset(void *target, int value, size_t size)
{
    __nearmiss_claim_writable(target, size, "memset: $3 bytes can be written to $1");
    __nearmiss_claim_valid(target, size, 3, "memset: $1 is a valid pointer, also for 0 bytes");
    __nearmiss_set(target, value, size);
    return target;
}

void bzero(void *target, size_t size)
{
    __nearmiss_claim_writable(target, size, "bzero: $2 bytes can be written to $1");
    __nearmiss_claim_valid(target, size, 2, "bzero: $1 is a valid pointer, also for 0 bytes");
    __nearmiss_set(target, 0, size);
}

void bcopy(const void *source, void *target, size_t size)
{
    __nearmiss_claim_readable(source, size, "bcopy: $3 bytes can be read from $1");
    __nearmiss_claim_writable(target, size, "bcopy: $3 bytes can be written to $2");
    __nearmiss_claim_valid(source, size, 3, "bcopy: $1 is a valid pointer, also for 0 bytes");
    __nearmiss_claim_valid(target, size, 3, "bcopy: $2 is a valid pointer, also for 0 bytes");
    __nearmiss_copy(target, source, size);
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left, *b = right;
    __nearmiss_claim_readable(left, size, "memcmp: $3 bytes can be read from $1");
    __nearmiss_claim_readable(right, size, "memcmp: $3 bytes can be read from $2");
    __nearmiss_claim_valid(left, size, 3, "memcmp: $1 is a valid pointer, also for 0 bytes");
    __nearmiss_claim_valid(right, size, 3, "memcmp: $2 is a valid pointer, also for 0 bytes");
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

void *memchr(const void *memory, int wanted, size_t size)
{
    const unsigned char *bytes = memory;
    __nearmiss_claim_valid_string(memory, size, 3, "memchr: $1 is a valid pointer, also for 0 bytes");
    for (size_t i = 0; i < size; i++) {
        __nearmiss_claim_readable(bytes + i, 1, "memchr: $3 bytes can be read from $1");
        if (bytes[i] == (unsigned char)wanted)
            return (void *)(bytes + i);
    }
    return 0;
}

/* Strings. */

size_t strlen(const char *string)
{
    size_t length = 0;
    for (;;) {
        __nearmiss_claim_readable(string + length, 1, "strlen: $1 points to a terminated string");
        if (string[length] == 0)
            return length;
        length++;
    }
}

size_t strnlen(const char *string, size_t most)
{
    __nearmiss_claim_valid_string(string, most, 2, "strnlen: $1 is a valid pointer, also for 0 characters");
    size_t length = 0;
    while (length < most) {
        __nearmiss_claim_readable(string + length, 1, "strnlen: $1 points to a string or to $2 characters");
        if (string[length] == 0)
            return length;
        length++;
    }
    return length;
}

char *strcpy(char *target, const char *source)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(source + i, 1, "strcpy: $2 points to a terminated string");
        char c = source[i];
        __nearmiss_claim_writable(target + i, 1, "strcpy: $2 fits into $1");
        target[i] = c;
        if (c == 0)
            return target;
    }
}

char *stpcpy(char *target, const char *source)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(source + i, 1, "stpcpy: $2 points to a terminated string");
        char c = source[i];
        __nearmiss_claim_writable(target + i, 1, "stpcpy: $2 fits into $1");
        target[i] = c;
        if (c == 0)
            return target + i;
    }
}

char *strncpy(char *target, const char *source, size_t size)
{
    __nearmiss_claim_writable(target, size, "strncpy: $3 bytes can be written to $1");
    __nearmiss_claim_valid(target, size, 3, "strncpy: $1 is a valid pointer, also for 0 characters");
    __nearmiss_claim_valid_string(source, size, 3, "strncpy: $2 is a valid pointer, also for 0 characters");
    size_t i = 0;
    while (i < size) {
        __nearmiss_claim_readable(source + i, 1, "strncpy: $2 points to a string or to $3 characters");
        char c = source[i];
        if (c == 0)
            break;
        target[i] = c;
        i++;
    }
    __nearmiss_set(target + i, 0, size - i);
    return target;
}

char *strcat(char *target, const char *source)
{
    size_t end = 0;
    for (;;) {
        __nearmiss_claim_readable(target + end, 1, "strcat: $1 points to a terminated string");
        if (target[end] == 0)
            break;
        end++;
    }
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(source + i, 1, "strcat: $2 points to a terminated string");
        char c = source[i];
        __nearmiss_claim_writable(target + end + i, 1, "strcat: $2 fits behind what $1 holds");
        target[end + i] = c;
        if (c == 0)
            return target;
    }
}

char *strncat(char *target, const char *source, size_t size)
{
    __nearmiss_claim_valid_string(source, size, 3, "strncat: $2 is a valid pointer, also for 0 characters");
    size_t end = 0;
    for (;;) {
        __nearmiss_claim_readable(target + end, 1, "strncat: $1 points to a terminated string");
        if (target[end] == 0)
            break;
        end++;
    }
    size_t i = 0;
    while (i < size) {
        __nearmiss_claim_readable(source + i, 1, "strncat: $2 points to a string or to $3 characters");
        char c = source[i];
        if (c == 0)
            break;
        __nearmiss_claim_writable(target + end + i, 1, "strncat: $2 fits behind what $1 holds");
        target[end + i] = c;
        i++;
    }
    __nearmiss_claim_writable(target + end + i, 1, "strncat: $2 fits behind what $1 holds");
    target[end + i] = 0;
    return target;
}

int strcmp(const char *left, const char *right)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(left + i, 1, "strcmp: $1 points to a terminated string");
        __nearmiss_claim_readable(right + i, 1, "strcmp: $2 points to a terminated string");
        unsigned char a = left[i], b = right[i];
        if (a != b)
            return a - b;
        if (a == 0)
            return 0;
    }
}

int strncmp(const char *left, const char *right, size_t size)
{
    __nearmiss_claim_valid_string(left, size, 3, "strncmp: $1 is a valid pointer, also for 0 characters");
    __nearmiss_claim_valid_string(right, size, 3, "strncmp: $2 is a valid pointer, also for 0 characters");
    for (size_t i = 0; i < size; i++) {
        __nearmiss_claim_readable(left + i, 1, "strncmp: $1 points to a string or to $3 characters");
        __nearmiss_claim_readable(right + i, 1, "strncmp: $2 points to a string or to $3 characters");
        unsigned char a = left[i], b = right[i];
        if (a != b)
            return a - b;
        if (a == 0)
            return 0;
    }
    return 0;
}

int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

int strcasecmp(const char *left, const char *right)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(left + i, 1, "strcasecmp: $1 points to a terminated string");
        __nearmiss_claim_readable(right + i, 1, "strcasecmp: $2 points to a terminated string");
        int a = tolower((unsigned char)left[i]), b = tolower((unsigned char)right[i]);
        if (a != b)
            return a - b;
        if (a == 0)
            return 0;
    }
}

int strncasecmp(const char *left, const char *right, size_t size)
{
    __nearmiss_claim_valid_string(left, size, 3, "strncasecmp: $1 is a valid pointer, also for 0 characters");
    __nearmiss_claim_valid_string(right, size, 3, "strncasecmp: $2 is a valid pointer, also for 0 characters");
    for (size_t i = 0; i < size; i++) {
        __nearmiss_claim_readable(left + i, 1, "strncasecmp: $1 points to a string or to $3 characters");
        __nearmiss_claim_readable(right + i, 1, "strncasecmp: $2 points to a string or to $3 characters");
        int a = tolower((unsigned char)left[i]), b = tolower((unsigned char)right[i]);
        if (a != b)
            return a - b;
        if (a == 0)
            return 0;
    }
    return 0;
}

char *strchr(const char *string, int wanted)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, 1, "strchr: $1 points to a terminated string");
        if (string[i] == (char)wanted)
            return (char *)(string + i);
        if (string[i] == 0)
            return 0;
    }
}

char *strrchr(const char *string, int wanted)
{
    char *found = 0;
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, 1, "strrchr: $1 points to a terminated string");
        if (string[i] == (char)wanted)
            found = (char *)(string + i);
        if (string[i] == 0)
            return found;
    }
}

char *strstr(const char *string, const char *wanted)
{
    for (size_t i = 0;; i++) {
        for (size_t j = 0;; j++) {
            __nearmiss_claim_readable(wanted + j, 1, "strstr: $2 points to a terminated string");
            if (wanted[j] == 0)
                return (char *)(string + i);
            __nearmiss_claim_readable(string + i + j, 1, "strstr: $1 points to a terminated string");
            if (string[i + j] != wanted[j])
                break;
        }
        if (string[i] == 0)
            return 0;
    }
}

static _Bool is_one_of(char c, const char *set)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(set + i, 1, "$2 points to a terminated string");
        if (set[i] == 0)
            return 0;
        if (set[i] == c)
            return 1;
    }
}

size_t strspn(const char *string, const char *set)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, 1, "strspn: $1 points to a terminated string");
        if (string[i] == 0 || !is_one_of(string[i], set))
            return i;
    }
}

size_t strcspn(const char *string, const char *set)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, 1, "strcspn: $1 points to a terminated string");
        if (string[i] == 0 || is_one_of(string[i], set))
            return i;
    }
}

char *strpbrk(const char *string, const char *set)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(string + i, 1, "strpbrk: $1 points to a terminated string");
        if (string[i] == 0)
            return 0;
        if (is_one_of(string[i], set))
            return (char *)(string + i);
    }
}

char *strdup(const char *string)
{
    size_t length = 0;
    for (;;) {
        __nearmiss_claim_readable(string + length, 1, "strdup: $1 points to a terminated string");
        if (string[length] == 0)
            break;
        length++;
    }
    if (__nearmiss_may_fail())
        return 0;
    char *copy = given(__nearmiss_allocate(length + 1, 0));
    __nearmiss_copy(copy, string, length + 1);
    return copy;
}

char *strndup(const char *string, size_t most)
{
    __nearmiss_claim_valid_string(string, most, 2, "strndup: $1 is a valid pointer, also for 0 characters");
    size_t length = 0;
    while (length < most) {
        __nearmiss_claim_readable(string + length, 1, "strndup: $1 points to a string or to $2 characters");
        if (string[length] == 0)
            break;
        length++;
    }
    if (__nearmiss_may_fail())
        return 0;
    char *copy = given(__nearmiss_allocate(length + 1, 0));
    __nearmiss_copy(copy, string, length);
    copy[length] = 0;
    return copy;
}

/* Characters, as in the C locale. */

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int isalnum(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int isprint(int c) { return c >= ' ' && c <= '~'; }
int isgraph(int c) { return c > ' ' && c <= '~'; }
int isascii(int c) { return c >= 0 && c <= 127; }

int ispunct(int c)
{
    return (c > ' ' && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c <= '~');
}

int isxdigit(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

/* Numbers. */

int abs(int x)
{
    __nearmiss_claim(x != -__INT_MAX__ - 1, "abs: no overflow for $1");
    return x < 0 ? -x : x;
}

long labs(long x)
{
    __nearmiss_claim(x != -__LONG_MAX__ - 1, "labs: no overflow for $1");
    return x < 0 ? -x : x;
}

long long llabs(long long x)
{
    __nearmiss_claim(x != -__LONG_LONG_MAX__ - 1, "llabs: no overflow for $1");
    return x < 0 ? -x : x;
}

/* Bytes in the order of networks, the highest first. */

static _Bool is_little(void) { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }
__UINT32_TYPE__ htonl(__UINT32_TYPE__ x) { return is_little() ? __builtin_bswap32(x) : x; }
__UINT32_TYPE__ ntohl(__UINT32_TYPE__ x) { return is_little() ? __builtin_bswap32(x) : x; }
unsigned short htons(unsigned short x) { return is_little() ? __builtin_bswap16(x) : x; }
unsigned short ntohs(unsigned short x) { return is_little() ? __builtin_bswap16(x) : x; }

/* Order. */

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *elements = base;
    __nearmiss_claim_writable(base, count * size, "qsort: $2 elements of $3 bytes lie at $1");
    __nearmiss_claim_valid(base, count, 2, "qsort: $1 is a valid pointer, also for 0 elements");
    if (size == 0)
        return;
    char *kept = __nearmiss_allocate(size, 0);
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        __nearmiss_copy(kept, elements + i * size, size);
        while (j > 0 && compare(elements + (j - 1) * size, kept) > 0) {
            __nearmiss_copy(elements + j * size, elements + (j - 1) * size, size);
            j--;
        }
        __nearmiss_copy(elements + j * size, kept, size);
    }
    __nearmiss_free(kept);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *more)
{
    char *elements = base;
    __nearmiss_claim_writable(base, count * size, "qsort_r: $2 elements of $3 bytes lie at $1");
    __nearmiss_claim_valid(base, count, 2, "qsort_r: $1 is a valid pointer, also for 0 elements");
    if (size == 0)
        return;
    char *kept = __nearmiss_allocate(size, 0);
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        __nearmiss_copy(kept, elements + i * size, size);
        while (j > 0 && compare(elements + (j - 1) * size, kept, more) > 0) {
            __nearmiss_copy(elements + j * size, elements + (j - 1) * size, size);
            j--;
        }
        __nearmiss_copy(elements + j * size, kept, size);
    }
    __nearmiss_free(kept);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    const char *elements = base;
    size_t low = 0, high = count;
    __nearmiss_claim_readable(base, count * size, "bsearch: $3 elements of $4 bytes lie at $2");
    __nearmiss_claim_valid(base, count, 3, "bsearch: $2 is a valid pointer, also for 0 elements");
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, elements + middle * size);
        if (order == 0)
            return (void *)(elements + middle * size);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* Input and output: what is read is any value, what is written is left out. */

static FILE in = {0}, out = {1}, error = {2};
FILE *stdin = &in;
FILE *stdout = &out;
FILE *stderr = &error;

#ifndef NEARMISS_TRIALS
char *fgets(char *line, int size, FILE *file)
{
    __nearmiss_claim_stream(file, "fgets: $3 is not NULL");
    if (size <= 0 || __nearmiss_input_bool())
        return 0;
    __nearmiss_claim_writable(line, size, "fgets: $2 bytes can be written to $1");
    int length = 0;
    while (length < size - 1) {
        int c = __nearmiss_input_int();
        /* Where the file ends at once, NULL is returned, and the line stays as it is. */
        __nearmiss_assume(c >= (length == 0 ? 0 : -1) && c <= 255);
        if (c < 0)
            break;
        line[length] = c;
        length++;
        if (c == '\n')
            break;
    }
    line[length] = 0;
    return line;
}

char *gets(char *line)
{
    size_t length = 0;
    if (__nearmiss_input_bool())
        return 0;
    for (;;) {
        int c = __nearmiss_input_int();
        __nearmiss_assume(c >= -1 && c <= 255);
        __nearmiss_claim_writable(line + length, 1, "gets: the line fits into $1");
        if (c < 0 || c == '\n')
            break;
        line[length] = c;
        length++;
    }
    line[length] = 0;
    return line;
}

ssize_t read(int file, void *memory, size_t size)
{
    char *bytes = memory;
    int count = __nearmiss_input_int();
    __nearmiss_assume(count >= -1 && (count < 0 || (size_t)count <= size));
    __nearmiss_claim_writable(memory, size, "read: $3 bytes can be written to $2");
    for (int i = 0; i < count; i++)
        bytes[i] = __nearmiss_input_int();
    return count;
}

size_t fread(void *memory, size_t size, size_t count, FILE *file)
{
    char *bytes = memory;
    __nearmiss_claim_stream(file, "fread: $4 is not NULL");
    int whole = __nearmiss_input_int();
    __nearmiss_assume(whole >= 0 && (size_t)whole <= count);
    __nearmiss_claim_writable(memory, size * count, "fread: $3 elements of $2 bytes can be written to $1");
    for (size_t i = 0; i < (size_t)whole * size; i++)
        bytes[i] = __nearmiss_input_int();
    return whole;
}
#endif

/* What runs when the program ends: the last that was registered first. */

static void (*exit_functions[32])(void), (*quick_exit_functions[32])(void);
static int __nearmiss_exit_count, __nearmiss_quick_exit_count;

static void run_exit_functions(void)
{
    while (__nearmiss_exit_count > 0)
        exit_functions[--__nearmiss_exit_count]();
}

static void run_quick_exit_functions(void)
{
    while (__nearmiss_quick_exit_count > 0)
        quick_exit_functions[--__nearmiss_quick_exit_count]();
}

int atexit(void (*function)(void))
{
    (void)run_exit_functions;
    if (__nearmiss_exit_count == 32)
        __nearmiss_unsupported("more than 32 functions for atexit");
    exit_functions[__nearmiss_exit_count++] = function;
    return 0;
}

int at_quick_exit(void (*function)(void))
{
    (void)run_quick_exit_functions;
    if (__nearmiss_quick_exit_count == 32)
        __nearmiss_unsupported("more than 32 functions for at_quick_exit");
    quick_exit_functions[__nearmiss_quick_exit_count++] = function;
    return 0;
}

char *strtok(char *string, const char *set)
{
    static char *rest;
    if (string == 0)
        string = rest;
    if (string == 0)
        return 0;
    while (*string != 0 && is_one_of(*string, set)) {
        string++;
        __nearmiss_claim_readable(string, 1, "strtok: $1 points to a terminated string");
    }
    if (*string == 0) {
        rest = 0;
        return 0;
    }
    char *end = string;
    while (*end != 0 && !is_one_of(*end, set)) {
        end++;
        __nearmiss_claim_readable(end, 1, "strtok: $1 points to a terminated string");
    }
    if (*end == 0) {
        rest = 0;
        return string;
    }
    __nearmiss_claim_writable(end, 1, "strtok: the characters at $1 can be written");
    *end = 0;
    rest = end + 1;
    return string;
}

/* Words of checkers that do something to memory. */

void __nearmiss_claim_lives(const void *pointer, const char *text);
void *__nearmiss_allocate_stack(size_t size, _Bool zeroed);
size_t __CPROVER_OBJECT_SIZE(const void *pointer);
ssize_t __CPROVER_POINTER_OFFSET(const void *pointer);

/* The bytes from a pointer to the end of its object. */
static size_t rest_of_object(const void *pointer)
{
    return __CPROVER_OBJECT_SIZE(pointer) - __CPROVER_POINTER_OFFSET(pointer);
}

void __CPROVER_havoc_object(void *pointer)
{
    __nearmiss_claim_lives(pointer, "__CPROVER_havoc_object: $1 points to memory that can be written");
    size_t size = __CPROVER_OBJECT_SIZE(pointer);
    void *any = __nearmiss_allocate_stack(size, 0);
    __nearmiss_copy((char *)pointer - __CPROVER_POINTER_OFFSET(pointer), any, size);
}

void __ESBMC_init_object(void *pointer)
{
    __nearmiss_claim_lives(pointer, "__ESBMC_init_object: $1 points to memory that can be written");
    size_t size = __CPROVER_OBJECT_SIZE(pointer);
    void *any = __nearmiss_allocate_stack(size, 0);
    __nearmiss_copy((char *)pointer - __CPROVER_POINTER_OFFSET(pointer), any, size);
}

void __CPROVER_havoc_slice(void *pointer, size_t size)
{
    __nearmiss_claim_writable(pointer, size, "__CPROVER_havoc_slice: $2 bytes can be written to $1");
    __nearmiss_claim_valid(pointer, size, 2, "__CPROVER_havoc_slice: $1 is a valid pointer, also for 0 bytes");
    void *any = __nearmiss_allocate_stack(size, 0);
    __nearmiss_copy(pointer, any, size);
}

void __VERIFIER_nondet_memory(void *pointer, size_t size)
{
    __nearmiss_claim_writable(pointer, size, "__VERIFIER_nondet_memory: $2 bytes can be written to $1");
    __nearmiss_claim_valid(pointer, size, 2, "__VERIFIER_nondet_memory: $1 is a valid pointer, also for 0 bytes");
    void *any = __nearmiss_allocate_stack(size, 0);
    __nearmiss_copy(pointer, any, size);
}

void *__CPROVER_allocate(size_t size, _Bool zeroed)
{
    if (zeroed)
        return __nearmiss_allocate(size, 1);
    return __nearmiss_allocate(size, 0);
}

void __CPROVER_deallocate(void *pointer)
{
    __nearmiss_claim_freeable(pointer,
                              "__CPROVER_deallocate: $1 is NULL or the start of allocated memory that is not freed yet");
    __nearmiss_free(pointer);
}

/* Where the source is shorter, the rest of the target is anything. */
void __CPROVER_array_copy(const void *target, const void *source)
{
    size_t size = rest_of_object(target), given = rest_of_object(source);
    __nearmiss_claim_lives(target, "__CPROVER_array_copy: $1 points to memory that can be written");
    __nearmiss_claim_writable((void *)target, size, "__CPROVER_array_copy: $1 points to memory that can be written");
    __nearmiss_claim_readable(source, 1, "__CPROVER_array_copy: $2 points to valid memory");
    if (given < size) {
        void *any = __nearmiss_allocate_stack(size - given, 0);
        __nearmiss_copy((char *)target + given, any, size - given);
    }
    __nearmiss_copy((void *)target, source, given < size ? given : size);
}

/* Where the source is shorter, the rest of the target stays. */
void __CPROVER_array_replace(const void *target, const void *source)
{
    size_t size = rest_of_object(target), given = rest_of_object(source);
    __nearmiss_claim_lives(target, "__CPROVER_array_replace: $1 points to memory that can be written");
    __nearmiss_claim_writable((void *)target, size, "__CPROVER_array_replace: $1 points to memory that can be written");
    __nearmiss_claim_readable(source, 1, "__CPROVER_array_replace: $2 points to valid memory");
    __nearmiss_copy((void *)target, source, given < size ? given : size);
}

/* Lowering asks for two arrays of one type. */
_Bool __CPROVER_array_equal(const void *left, const void *right)
{
    const char *a = left, *b = right;
    for (size_t i = 0; i < __CPROVER_OBJECT_SIZE(left); i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

_Bool __ESBMC_is_little_endian(void) { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }

/* Floating point. */

_Bool __CPROVER_isnanf(float x) { return __builtin_isnan(x); }
_Bool __CPROVER_isinff(float x) { return __builtin_isinf(x); }
_Bool __CPROVER_isfinitef(float x) { return __builtin_isfinite(x); }
_Bool __CPROVER_isnormalf(float x) { return __builtin_isfinite(x) && (x >= 0x1p-126f || x <= -0x1p-126f); }
_Bool __CPROVER_signf(float x) { return __builtin_signbit(x) != 0; }
int __CPROVER_isgreaterf(float x, float y) { return x > y; }
int __CPROVER_isgreaterequalf(float x, float y) { return x >= y; }
int __CPROVER_islessf(float x, float y) { return x < y; }
int __CPROVER_islessequalf(float x, float y) { return x <= y; }
int __CPROVER_islessgreaterf(float x, float y) { return x < y || x > y; }
int __CPROVER_isunorderedf(float x, float y) { return x != x || y != y; }
int __CPROVER_isequalf(float x, float y) { return x == y; }
_Bool __CPROVER_isnand(double x) { return __builtin_isnan(x); }
_Bool __CPROVER_isinfd(double x) { return __builtin_isinf(x); }
_Bool __CPROVER_isfinited(double x) { return __builtin_isfinite(x); }
_Bool __CPROVER_isnormald(double x) { return __builtin_isfinite(x) && (x >= 0x1p-1022 || x <= -0x1p-1022); }
_Bool __CPROVER_signd(double x) { return __builtin_signbit(x) != 0; }
int __CPROVER_isgreaterd(double x, double y) { return x > y; }
int __CPROVER_isgreaterequald(double x, double y) { return x >= y; }
int __CPROVER_islessd(double x, double y) { return x < y; }
int __CPROVER_islessequald(double x, double y) { return x <= y; }
int __CPROVER_islessgreaterd(double x, double y) { return x < y || x > y; }
int __CPROVER_isunorderedd(double x, double y) { return x != x || y != y; }
int __CPROVER_isequald(double x, double y) { return x == y; }
int __CPROVER_abs(int x) { return __builtin_abs(x); }
long __CPROVER_labs(long x) { return __builtin_labs(x); }
long long __CPROVER_llabs(long long x) { return __builtin_llabs(x); }
double __CPROVER_fabs(double x) { return __builtin_fabs(x); }
float __CPROVER_fabsf(float x) { return __builtin_fabsf(x); }
double __CPROVER_inf(void) { return __builtin_inf(); }
float __CPROVER_inff(void) { return __builtin_inff(); }

/* The modes as CBMC numbers them. */
double floor(double x);
double ceil(double x);
double trunc(double x);
double roundeven(double x);

double __CPROVER_round_to_integrald(double x, int mode)
{
    if (mode < 0 || mode > 3)
        __nearmiss_unsupported("__CPROVER_round_to_integrald with another mode than 0 to 3");
    return mode == 0 ? roundeven(x) : mode == 1 ? floor(x) : mode == 2 ? ceil(x) : trunc(x);
}

float __CPROVER_round_to_integralf(float x, int mode)
{
    if (mode < 0 || mode > 3)
        __nearmiss_unsupported("__CPROVER_round_to_integralf with another mode than 0 to 3");
    return mode == 0 ? roundeven(x) : mode == 1 ? floor(x) : mode == 2 ? ceil(x) : trunc(x);
}
