/* Functions of the library that write what they read to memory, fed with what a run has read: they take a word for each
 * input of their models, in the same order (crates/program/src/c: lower/scan.rs, library.c, outside.c, math.c). What a model claims to
 * be writable is touched as a whole, so that sanitizers see it. */

#include <stdarg.h>
#include <time.h>

unsigned long long nearmiss__word(void);

static void touch(void *memory, size_t size)
{
    memmove(memory, memory, size);
}

static void read_bytes(char *target, size_t size)
{
    for (size_t i = 0; i < size; i++)
        target[i] = nearmiss__word();
}

/* How many bytes a number takes for which the format says this. */
static size_t width_of(char letter, const char *size)
{
    if (letter == 'c')
        return 1;
    if (letter == 'p')
        return sizeof(void *);
    if (strchr("fFeEgGaA", letter))
        return *size == 'l' ? sizeof(double) : sizeof(float);
    if (*size == 'h')
        return size[1] == 'h' ? 1 : sizeof(short);
    if (*size == 'l')
        return size[1] == 'l' ? sizeof(long long) : sizeof(long);
    return *size == 0 ? sizeof(int) : strchr("zt", *size) ? sizeof(size_t) : sizeof(long long);
}

/* One conversion behind its percent sign; where it ends. */
static const char *convert(const char *format, va_list *list, int *found)
{
    char size[8] = "";
    int width = 0, stores = 1;
    for (; *format && strchr("*hlLjztq-+ #.'0123456789", *format); format++)
        if (*format >= '0' && *format <= '9')
            width = width * 10 + *format - '0';
        else if (*format == '*')
            stores = 0;
        else if (strchr("hlLjztq", *format) && strlen(size) < 7)
            strncat(size, format, 1);
    char letter = *format++;
    if (letter == '[') {
        format += *format == '^';
        format = strchr(format + 1, ']') + 1;
    }
    if (letter == '%' || !stores)
        return format;
    ++*found;
    char *target = va_arg(*list, char *);
    if (letter == 's' || letter == '[') {
        size_t length = width == 1 ? 1 : nearmiss__word();
        touch(target, length + 1);
        read_bytes(target, length);
        target[length] = 0;
    } else if (letter == 'c' && width > 1) {
        touch(target, width);
        read_bytes(target, width);
    } else {
        unsigned long long word = nearmiss__word();
        memcpy(target, &word, width_of(letter, size));
    }
    return format;
}

static int scan(const char *format, va_list *list)
{
    int count = nearmiss__word(), found = 0;
    while (found < count)
        format = convert(strchr(format, '%') + 1, list, &found);
    return count;
}

int nearmiss__scanf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    return scan(format, &list);
}

int nearmiss__fscanf(void *file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    return scan(format, &list);
}

char *nearmiss__fgets(char *line, int size, void *file)
{
    if (size <= 0 || nearmiss__word())
        return 0;
    touch(line, size);
    int length = 0;
    while (length < size - 1) {
        int c = nearmiss__word();
        if (c < 0)
            break;
        line[length++] = c;
        if (c == '\n')
            break;
    }
    line[length] = 0;
    return line;
}

char *nearmiss__gets(char *line)
{
    size_t length = 0;
    if (nearmiss__word())
        return 0;
    for (;; length++) {
        int c = nearmiss__word();
        touch(line + length, 1);
        if (c < 0 || c == '\n')
            break;
        line[length] = c;
    }
    line[length] = 0;
    return line;
}

ssize_t nearmiss__read(int file, void *memory, size_t size)
{
    int count = nearmiss__word();
    touch(memory, size);
    read_bytes(memory, count < 0 ? 0 : count);
    return count;
}

size_t nearmiss__fread(void *memory, size_t size, size_t count, void *file)
{
    int whole = nearmiss__word();
    touch(memory, size * count);
    read_bytes(memory, whole * size);
    return whole;
}

ssize_t nearmiss__getline(char **line, size_t *size, void *file)
{
    if (nearmiss__word())
        return -1;
    size_t length = nearmiss__word();
    if (!*line || *size <= length) {
        free(*line);
        *line = malloc(length + 1);
        *size = length + 1;
    }
    read_bytes(*line, length);
    (*line)[length] = 0;
    return length;
}

double remquo(double, double, int *);
float remquof(float, float, int *);
long double remquol(long double, long double, int *);

/* Where the result is no number, C leaves the quotient open. */
#define REMQUO(type, name) \
    type nearmiss__##name(type left, type right, int *quotient) \
    { \
        touch(quotient, sizeof *quotient); \
        type rest = name(left, right, quotient); \
        if (rest != rest) \
            *quotient = nearmiss__word(); \
        return rest; \
    }
REMQUO(double, remquo)
REMQUO(float, remquof)
REMQUO(long double, remquol)

time_t nearmiss__time(time_t *target)
{
    time_t now = nearmiss__word();
    if (target)
        memcpy(target, &now, sizeof now);
    return now;
}
