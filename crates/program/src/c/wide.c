/* Models of wchar.h, behind those of library.c: what string.h has for characters, for wide ones. */
typedef __WCHAR_TYPE__ wide;

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
