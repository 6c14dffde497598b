/* Models of stdio.h that make and read text by a format. Formats are walked character by character, so constant ones cost nothing. What is not
 * modelled (pointers that are not NULL, positions of arguments) is an error at the call. */

typedef __builtin_va_list va_list;

/* Text on its way into memory: so many characters are there, and so many may be. Or on its way to standard output, where that is known. */
struct text {
    char *target;
    size_t size;
    size_t length;
    _Bool is_output;
#ifdef NEARMISS_VERSIONS
    /* On its way to standard error: nobody looks at it. */
    _Bool is_error;
#endif
};

#ifdef NEARMISS_TRIALS
static void shared_put(char c);
#endif

static void put(struct text *text, char c)
{
#ifdef NEARMISS_TRIALS
    if (text->is_output)
        shared_put(c);
#endif
    if (text->length < text->size) {
        __nearmiss_claim_writable(text->target + text->length, 1, "the text fits into $1");
        text->target[text->length] = c;
    }
    text->length++;
}

static void fill(struct text *text, char c, int count)
{
    for (int i = 0; i < count; i++)
        put(text, c);
}

/* One conversion: `%-08.3ld`. */
struct conversion {
    _Bool left, zeros, plus, space, other_form;
    int width;
    /* -1 if there is none. */
    int precision;
    /* h and l count up and down. */
    int length;
    char kind;
    /* What follows in the format cannot be part of a number. */
    _Bool ends;
};

#ifdef NEARMISS_VERSIONS
_Bool __nearmiss_result_is_used(void);
static _Bool shared_piece(const struct conversion *how, unsigned long long value);
#endif

/* Digits, last one first, and how many. The short way for numbers of 32 bits is cheaper for the solver. */
static int digits_of(unsigned long long value, _Bool wide, unsigned base, _Bool upper, char *digits)
{
    int count = 0;
    unsigned narrow = value;
    while (wide ? value != 0 : narrow != 0) {
        unsigned digit = wide ? value % base : narrow % base;
        digits[count++] = digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + (digit - 10);
        value /= base;
        narrow /= base;
    }
    return count;
}

/* How the digits of a number stand in its text. */
struct layout {
    char sign;
    _Bool prefix;
    int zeros, blanks;
};

static struct layout lay_out(const struct conversion *how, int count, _Bool minus)
{
    struct layout out;
    unsigned base = how->kind == 'o' ? 8 : (how->kind | 32) == 'x' ? 16 : 10;
    int least = how->precision < 0 ? 1 : how->precision;
    if (how->other_form && base == 8 && least <= count)
        least = count + 1;
    out.sign = base != 10 || how->kind == 'u' ? 0 : minus ? '-' : how->plus ? '+' : how->space ? ' ' : 0;
    out.prefix = how->other_form && base == 16 && count > 0;
    int taken = (out.sign != 0) + 2 * out.prefix;
    if (how->zeros && !how->left && how->precision < 0 && how->width - taken > least)
        least = how->width - taken;
    out.zeros = least > count ? least - count : 0;
    out.blanks = how->width - taken - out.zeros - count;
    return out;
}

static void put_number(struct text *text, const struct conversion *how, unsigned long long value, _Bool wide, _Bool minus)
{
    char digits[24];
    unsigned base = how->kind == 'o' ? 8 : (how->kind | 32) == 'x' ? 16 : 10;
    int count = digits_of(value, wide, base, how->kind == 'X', digits);
    struct layout out = lay_out(how, count, minus);
    if (!how->left)
        fill(text, ' ', out.blanks);
    if (out.sign != 0)
        put(text, out.sign);
    if (out.prefix) {
        put(text, '0');
        put(text, how->kind);
    }
    fill(text, '0', out.zeros);
    for (int i = count; i > 0; i--)
        put(text, digits[i - 1]);
    if (how->left)
        fill(text, ' ', out.blanks);
}

static void put_string(struct text *text, const struct conversion *how, const char *string)
{
    int count = 0;
    while (how->precision < 0 || count < how->precision) {
        __nearmiss_claim_readable(string + count, 1, "a string of the format is terminated");
        if (string[count] == 0)
            break;
        count++;
    }
    if (!how->left)
        fill(text, ' ', how->width - count);
    for (int i = 0; i < count; i++)
        put(text, string[i]);
    if (how->left)
        fill(text, ' ', how->width - count);
}

/* A number of digits at a place in a format, which moves on. */
static int number_in(const char **format)
{
    int number = 0;
    while (**format >= '0' && **format <= '9')
        number = number * 10 + (*(*format)++ - '0');
    return number;
}

/* `hh`, `l`, `z` and their kin at a place in a format, which moves on: -2 to 2. */
static int length_in(const char **format)
{
    int length = 0;
    for (;; (*format)++) {
        if (**format == 'h')
            length--;
        else if (**format == 'l')
            length++;
        else if (**format == 'z' || **format == 't')
            length = 1;
        else if (**format == 'j' || **format == 'q' || **format == 'L')
            length = 2;
        else
            return length;
    }
}

static long long signed_argument(va_list *list, int length)
{
    if (length >= 2)
        return __builtin_va_arg(*list, long long);
    if (length == 1)
        return __builtin_va_arg(*list, long);
    int value = __builtin_va_arg(*list, int);
    return length == 0 ? value : length == -1 ? (short)value : (signed char)value;
}

static unsigned long long unsigned_argument(va_list *list, int length)
{
    if (length >= 2)
        return __builtin_va_arg(*list, unsigned long long);
    if (length == 1)
        return __builtin_va_arg(*list, unsigned long);
    unsigned value = __builtin_va_arg(*list, unsigned);
    return length == 0 ? value : length == -1 ? (unsigned short)value : (unsigned char)value;
}

/* Which text of a float a conversion makes, in the order in which `text.rs` of the logic numbers them; -1 for other conversions. */
static int float_kind(char kind)
{
    switch (kind) {
    case 'f': return 0;
    case 'F': return 1;
    case 'e': return 2;
    case 'E': return 3;
    case 'g': return 4;
    case 'G': return 5;
    case 'a': return 6;
    case 'A': return 7;
    default: return -1;
    }
}

/* The precision of `%a` where none is given. */
#define ALL_DIGITS 1023

double __nearmiss_text_of_float(double value, double request);
unsigned long long __nearmiss_bits_of_double(double value);

/* A character of the text of a float without its sign; 0 behind its end. The machine knows them. */
static char float_character(const struct conversion *how, double value, int index)
{
    _Bool is_hexadecimal = (how->kind | 32) == 'a';
    int precision = how->precision >= 0 ? how->precision : is_hexadecimal ? ALL_DIGITS : 6;
    int kind = float_kind(how->kind) + 8 * how->other_form;
    if (how->precision > 1000)
        __nearmiss_unsupported("more than 1000 digits of a float");
    return (int)__nearmiss_text_of_float(value, (double)((kind * 1024 + precision) * 2048 + index));
}

/* How the text of a float stands in its field. */
struct float_layout {
    char sign;
    int count, blanks;
    /* Blanks are zeros, and go behind so many characters: between 0x and the digits. */
    _Bool zeros;
    int start;
};

static struct float_layout lay_out_float(const struct conversion *how, double value)
{
    struct float_layout out;
    unsigned long long bits = __nearmiss_bits_of_double(value);
    _Bool is_negative = bits >> 63;
#ifdef NEARMISS_TRIALS
    /* Operations make the positive NaN here, and on some machines the negative one, whose sign is printed. */
    if (NEARMISS_MADE_NAN_IS_NEGATIVE && bits << 1 == 0xfffULL << 52)
        is_negative = !is_negative;
#endif
    out.sign = is_negative ? '-' : how->plus ? '+' : how->space ? ' ' : 0;
    _Bool is_finite = (bits >> 52 & 2047) != 2047;
    out.count = 0;
    while (float_character(how, value, out.count) != 0)
        out.count++;
    out.blanks = how->width - (out.sign != 0) - out.count;
    out.zeros = how->zeros && !how->left && is_finite;
    out.start = (how->kind | 32) == 'a' && is_finite ? 2 : 0;
    return out;
}

static void put_float(struct text *text, const struct conversion *how, double value)
{
    struct float_layout out = lay_out_float(how, value);
    if (!how->left && !out.zeros)
        fill(text, ' ', out.blanks);
    if (out.sign != 0)
        put(text, out.sign);
    for (int i = 0; i < out.start; i++)
        put(text, float_character(how, value, i));
    if (out.zeros)
        fill(text, '0', out.blanks);
    for (int i = out.start; i < out.count; i++)
        put(text, float_character(how, value, i));
    if (how->left)
        fill(text, ' ', out.blanks);
}

/* Long doubles that are doubles; the digits of others nobody knows here. */
static double double_of(long double value)
{
    double rounded = value;
    if (rounded != value && value == value)
        __nearmiss_unsupported("the text of a long double that is no double");
    return rounded;
}

/* Where an object lies is nobody's business. */
static void put_pointer(struct text *text, const struct conversion *how, const void *pointer)
{
    if (pointer != 0)
        __nearmiss_unsupported("the text of a pointer that is not NULL");
    put_string(text, how, "(nil)");
}

static void put_integer(struct text *text, const struct conversion *how, unsigned long long value)
{
    _Bool minus = (how->kind == 'd' || how->kind == 'i') && (long long)value < 0;
#ifdef NEARMISS_VERSIONS
    if (text->is_error && !__nearmiss_result_is_used())
        return;
    if (text->is_output && shared_piece(how, value)) {
        struct text counted = { 0 };
        if (__nearmiss_result_is_used())
            put_number(&counted, how, minus ? -value : value, how->length > 0, minus);
        text->length += counted.length;
        return;
    }
#endif
    put_number(text, how, minus ? -value : value, how->length > 0, minus);
}

static void put_double(struct text *text, const struct conversion *how, double value)
{
#ifdef NEARMISS_VERSIONS
    if (text->is_error && !__nearmiss_result_is_used())
        return;
    if (text->is_output && shared_piece(how, __nearmiss_bits_of_double(value))) {
        struct text counted = { 0 };
        if (__nearmiss_result_is_used())
            put_float(&counted, how, value);
        text->length += counted.length;
        return;
    }
#endif
    put_float(text, how, value);
}

static void put_conversion(struct text *text, const struct conversion *how, va_list *list)
{
    if (how->kind == 'd' || how->kind == 'i') {
        put_integer(text, how, signed_argument(list, how->length));
    } else if (how->kind == 'u' || how->kind == 'x' || how->kind == 'X' || how->kind == 'o') {
        put_integer(text, how, unsigned_argument(list, how->length));
    } else if (how->kind == 'c' && how->length == 0) {
        if (!how->left)
            fill(text, ' ', how->width - 1);
        put(text, __builtin_va_arg(*list, int));
        if (how->left)
            fill(text, ' ', how->width - 1);
    } else if (how->kind == 's' && how->length == 0) {
        put_string(text, how, __builtin_va_arg(*list, const char *));
    } else if (how->kind == '%') {
        put(text, '%');
    } else if (float_kind(how->kind) >= 0 && (how->length == 0 || how->length == 1)) {
        put_double(text, how, __builtin_va_arg(*list, double));
    } else if (float_kind(how->kind) >= 0 && float_kind(how->kind) < 6 && how->length == 2) {
        put_double(text, how, double_of(__builtin_va_arg(*list, long double)));
    } else if (how->kind == 'p') {
        put_pointer(text, how, __builtin_va_arg(*list, const void *));
    } else {
        __nearmiss_unsupported("a conversion of this format into text");
    }
}

/* Whether a character of a format is printed as it is, and cannot be part of a number before it. */
static _Bool ends_number(char c)
{
    return c != 0 && c != '%' && c != '.' && c != '+' && c != '-' && !(c >= '0' && c <= '9')
        && !((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int make_characters(struct text *text, const char *format, va_list *list)
{
    for (; *format != 0; format++) {
        if (*format != '%') {
            put(text, *format);
            continue;
        }
        struct conversion how = { 0 };
        how.precision = -1;
        for (format++;; format++) {
            if (*format == '-')
                how.left = 1;
            else if (*format == '0')
                how.zeros = 1;
            else if (*format == '+')
                how.plus = 1;
            else if (*format == ' ')
                how.space = 1;
            else if (*format == '#')
                how.other_form = 1;
            else
                break;
        }
        if (*format == '*') {
            format++;
            how.width = __builtin_va_arg(*list, int);
            if (how.width < 0) {
                how.left = 1;
                how.width = -how.width;
            }
        } else {
            how.width = number_in(&format);
        }
        if (*format == '.') {
            format++;
            how.precision = *format == '*' ? __builtin_va_arg(*list, int) : number_in(&format);
            if (*format == '*')
                format++;
        }
        how.length = length_in(&format);
        how.kind = *format;
        how.ends = *format != 0 && ends_number(format[1]);
        put_conversion(text, &how, list);
    }
    return text->length;
}

static int make_text(char *target, size_t size, const char *format, va_list *list)
{
    struct text text = { target, size > 0 ? size - 1 : 0 };
    make_characters(&text, format, list);
    if (size > 0) {
        size_t end = text.length < text.size ? text.length : text.size;
        __nearmiss_claim_writable(target + end, 1, "the text fits into $1");
        target[end] = 0;
    }
    return text.length;
}

int vsnprintf(char *target, size_t size, const char *format, va_list list)
{
    va_list own;
    __builtin_va_copy(own, list);
    return make_text(target, size, format, &own);
}

int vsprintf(char *target, const char *format, va_list list) { return vsnprintf(target, -1, format, list); }

int snprintf(char *target, size_t size, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return make_text(target, size, format, &list);
}

int sprintf(char *target, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return make_text(target, -1, format, &list);
}

/* Text that is read: a string and a place in it, and whether somebody came to its end. */
struct input {
    const char *string;
    size_t at;
    _Bool ended;
    /* It has so few characters that every number in it has 32 bits. */
    _Bool is_short;
};

static char next_of(struct input *input)
{
    __nearmiss_claim_readable(input->string + input->at, 1, "$1 points to a terminated string");
    if (input->string[input->at] == 0)
        input->ended = 1;
    return input->string[input->at];
}

static _Bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_blanks(struct input *input)
{
    while (is_blank(next_of(input)))
        input->at++;
}

static int scanned_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' + 10 : 99;
}

/* A number in a base (0: as it is written) of so many characters at most. Whether there is one. */
static _Bool read_number(struct input *input, int base, int width, unsigned long long *value, _Bool *minus)
{
    char c = next_of(input);
    *value = 0;
    *minus = c == '-';
    if ((c == '-' || c == '+') && width > 0) {
        input->at++;
        width--;
    }
    _Bool any = 0;
    if ((base == 0 || base == 16) && width > 0 && next_of(input) == '0') {
        input->at++;
        width--;
        any = 1;
        if (width > 0 && (next_of(input) | 32) == 'x') {
            input->at++;
            width--;
            base = 16;
            /* C says that this is no number, and the usual library that it is 0. */
            if (width == 0 || scanned_digit(next_of(input)) >= 16)
                __nearmiss_unsupported("sscanf of 0x without a digit behind it");
        }
        base = base == 0 ? 8 : base;
    }
    if (base == 0)
        base = 10;
    if (input->is_short) {
        unsigned narrow = 0;
        while (width > 0 && scanned_digit(next_of(input)) < base) {
            narrow = narrow * base + scanned_digit(next_of(input));
            input->at++;
            width--;
            any = 1;
        }
        *value = narrow;
        return any;
    }
    while (width > 0 && scanned_digit(next_of(input)) < base) {
        unsigned long long tens = *value * base, digit = scanned_digit(next_of(input));
        __nearmiss_claim(*value <= -1ULL / base && digit <= -1ULL - tens, "every number that is read fits into its type");
        *value = tens + digit;
        input->at++;
        width--;
        any = 1;
    }
    return any;
}

static void store_number(va_list *list, int length, _Bool is_signed, unsigned long long value, _Bool minus)
{
    int bytes = length >= 2 ? sizeof(long long) : length == 1 ? sizeof(long) : length == 0 ? sizeof(int) : length == -1 ? 2 : 1;
    unsigned long long most = -1ULL >> (64 - 8 * bytes);
    if (is_signed)
        most = most / 2 + minus;
    __nearmiss_claim(value <= most, "every number that is read fits into its type");
    unsigned long long number = minus ? -value : value;
    void *target;
    if (length >= 2)
        target = __builtin_va_arg(*list, long long *);
    else if (length == 1)
        target = __builtin_va_arg(*list, long *);
    else if (length == 0)
        target = __builtin_va_arg(*list, int *);
    else
        target = __builtin_va_arg(*list, char *);
    __nearmiss_claim_writable(target, bytes, "what is read can be written to where it goes");
    if (length >= 2)
        *(unsigned long long *)target = number;
    else if (length == 1)
        *(unsigned long *)target = number;
    else if (length == 0)
        *(unsigned *)target = number;
    else if (length == -1)
        *(unsigned short *)target = number;
    else
        *(unsigned char *)target = number;
}

/* `[^a-z_]` in a format: where it ends, and which characters it has. What comes first stands for itself. */
struct set {
    const char *characters;
    int count;
    _Bool others;
};

static const char *set_in(const char *format, struct set *set)
{
    format++;
    set->others = *format == '^';
    set->characters = format += set->others;
    set->count = 0;
    while (set->count == 0 || *format != ']') {
        if (*format == 0)
            __nearmiss_unsupported("a format with a bracket that is not closed");
        set->count++;
        format++;
    }
    return format;
}

static _Bool is_in(const struct set *set, char wanted)
{
    unsigned char c = wanted;
    for (int i = 0; i < set->count; i++) {
        unsigned char first = set->characters[i], last = first;
        if (i + 2 < set->count && set->characters[i + 1] == '-') {
            last = set->characters[i + 2];
            i += 2;
        }
        if (first <= c && c <= last)
            return !set->others;
    }
    return set->others;
}

static _Bool is_taken(const struct set *set, char kind, char c)
{
    return kind == '[' ? is_in(set, c) : kind == 'c' || !is_blank(c);
}

/* `%5s`, `%[a-z]` and `%3c`. Whether there was anything. */
static _Bool read_characters(struct input *input, va_list *list, const struct set *set, char kind, int width, _Bool stores)
{
    char *target = stores ? __builtin_va_arg(*list, char *) : 0;
    _Bool word = kind != 'c';
    int count = 0;
    while (count < width && next_of(input) != 0 && is_taken(set, kind, next_of(input))) {
        if (stores) {
            __nearmiss_claim_writable(target + count, 1, "what is read can be written to where it goes");
            target[count] = next_of(input);
        }
        input->at++;
        count++;
    }
    if (word && stores && count > 0) {
        __nearmiss_claim_writable(target + count, 1, "what is read can be written to where it goes");
        target[count] = 0;
    }
    if (!word && count > 0 && count < width)
        __nearmiss_unsupported("a conversion of more characters than there are");
    return count > 0;
}

/* What the conversions of floats take from a text: the next characters, where a width says how many at most. Behind white space nothing
 * more is looked at. */
#define WIDEST 63

static const char *field_of(struct input *input, int width, char *field)
{
    const char *start = input->string + input->at;
    if (width == 0)
        return start;
    struct input next = *input;
    int count = 0;
    for (_Bool ends = 0; count < width && next_of(&next) != 0 && !ends; next.at++) {
        if (count == WIDEST)
            __nearmiss_unsupported("sscanf of a float of so many characters with a width");
        ends = is_blank(next_of(&next));
        field[count++] = next_of(&next);
    }
    /* The x behind a 0 is only looked at where a digit may follow. */
    int digits = count > 0 && (field[0] == '-' || field[0] == '+');
    if (count == width && count == digits + 2 && field[digits] == '0' && (field[digits + 1] | 32) == 'x')
        count--;
    field[count] = 0;
    return field;
}

#define STORE_FLOAT(type) \
    do { \
        type *target = __builtin_va_arg(*list, type *); \
        __nearmiss_claim_writable(target, sizeof(type), "what is read can be written to where it goes"); \
        *target = value; \
    } while (0)

/* How much of a text that is no float is read before that is known; of a word that starts like inf or nan also the character that shows it. */
static size_t begun_float(const char *start, size_t at)
{
    const char *word = (start[at] | 32) == 'i' ? "infinity" : (start[at] | 32) == 'n' ? "nan" : "";
    if (start[at] == '0' && (start[at + 1] | 32) == 'x')
        return at + 2;
    if (start[at] == '.')
        return at + 1;
    size_t first = at;
    for (; *word != 0 && (start[at] | 32) == *word; word++)
        at++;
    return at + (at > first && start[at] != 0);
}

/* `%f`, `%lf` and `%Lf`. Whether there is a number. */
static _Bool read_float(struct input *input, va_list *list, int width, int length, _Bool stores)
{
    char field[WIDEST + 1], *end;
    const char *start = field_of(input, width, field);
    size_t sign = after_spaces(start), at = sign + (start[sign] == '-' || start[sign] == '+');
    /* What only starts like one of these is none, where strtod takes the part of it that is one. */
    _Bool hexadecimal = start[at] == '0' && (start[at + 1] | 32) == 'x';
    if (hexadecimal && start[at + 2] == '.' && !digits_at(start, at + 2, 16))
        __nearmiss_unsupported("sscanf of a hexadecimal float without digits");
    _Bool is_broken = hexadecimal && !digits_at(start, at + 2, 16);
    is_broken |= word_at(start, at, "inf") != 0 && (start[at + 3] | 32) == 'i' && word_at(start, at, "infinity") == 0;
    if (is_broken) {
        input->at += begun_float(start, at);
        next_of(input);
        return 0;
    }
    if (word_at(start, at, "nan") != 0 && start[at + 3] == '(')
        __nearmiss_unsupported("sscanf of a NaN with a number of its own");
    long double value = length > 1 ? strtold(start, &end) : length == 1 ? strtod(start, &end) : strtof(start, &end);
    if (end == start) {
        input->at += begun_float(start, at);
        next_of(input);
        return 0;
    }
    /* C says that this is no number, and takes what was read for it. */
    if (*end != 0 && (*end | 32) == (hexadecimal ? 'p' : 'e') && (start[at] | 32) < 'a')
        __nearmiss_unsupported("sscanf of a float with an e or a p and no exponent");
    input->at += end - start;
    next_of(input);
    if (stores && length > 1)
        STORE_FLOAT(long double);
    else if (stores && length == 1)
        STORE_FLOAT(double);
    else if (stores)
        STORE_FLOAT(float);
    return 1;
}

static void not_read(char kind, int length)
{
    if (kind == 'p')
        __nearmiss_unsupported("the conversion %p of $2 from text");
    if (length != 0 && (kind == 's' || kind == 'c' || kind == '['))
        __nearmiss_unsupported("the conversion %ls, %lc or %l[ of $2 from text");
    if (kind == 'n')
        __nearmiss_unsupported("the conversion %*n of $2 from text");
    __nearmiss_unsupported("a conversion of $2 from text");
}

#ifdef NEARMISS_VERSIONS
/* A number that was looked for in a text. */
struct number {
    size_t start, end;
    int base, width;
    unsigned value;
    /* Whether there is text at all, whether there is a number, and whether somebody came to the end. */
    _Bool minus, is_missing, any, ended;
};

static struct number shared_number(struct input *input, int base, int width);
#endif

static int read_input(struct input *input, const char *format, va_list *list)
{
    int found = 0;
    size_t start = input->at;
    for (; *format != 0; format++) {
        if (is_blank(*format)) {
            skip_blanks(input);
            continue;
        }
        _Bool conversion = *format == '%';
        format += conversion;
        if (!conversion || *format == '%') {
            if (conversion)
                skip_blanks(input);
            if (next_of(input) != *format)
                return next_of(input) == 0 && found == 0 ? -1 : found;
            input->at++;
            continue;
        }
        _Bool stores = *format != '*';
        format += !stores;
        int width = number_in(&format);
        int length = length_in(&format);
        char kind = *format;
        int base = kind == 'd' || kind == 'u' ? 10 : (kind | 32) == 'x' ? 16 : kind == 'o' ? 8 : 0;
        if (kind == 'n' && stores) {
            store_number(list, length, 1, input->at - start, 0);
            continue;
        }
#ifdef NEARMISS_VERSIONS
        if (input->is_short && (base != 0 || kind == 'i')) {
            struct number number = shared_number(input, base, width == 0 ? 0x7fffffff : width);
            if (number.is_missing)
                return found == 0 ? -1 : found;
            if (!number.any)
                return found;
            if (stores)
                store_number(list, length, kind == 'd' || kind == 'i', number.value, number.minus);
            found += stores;
            continue;
        }
#endif
        struct set set = {0};
        if (kind == '[')
            format = set_in(format, &set);
        else if (kind != 'c')
            skip_blanks(input);
        if (next_of(input) == 0)
            return found == 0 ? -1 : found;
        if (base != 0 || kind == 'i') {
            unsigned long long value;
            _Bool minus;
            if (!read_number(input, base, width == 0 ? 0x7fffffff : width, &value, &minus))
                return found;
            if (stores)
                store_number(list, length, kind == 'd' || kind == 'i', value, minus);
        } else if (((kind | 32) >= 'e' && (kind | 32) <= 'g' || (kind | 32) == 'a') && length >= 0) {
            if (!read_float(input, list, width, length, stores))
                return found;
        } else if ((kind == 's' || kind == 'c' || kind == '[') && length == 0) {
            int most = width != 0 ? width : kind == 'c' ? 1 : 0x7fffffff;
            if (!read_characters(input, list, &set, kind, most, stores))
                return found == 0 && kind == 'c' ? -1 : found;
        } else {
            not_read(kind, length);
        }
        found += stores;
    }
    return found;
}

static int read_text(const char *string, const char *format, va_list *list)
{
    struct input input = { string };
    return read_input(&input, format, list);
}

int vsscanf(const char *string, const char *format, va_list list)
{
    va_list own;
    __builtin_va_copy(own, list);
    return read_text(string, format, &own);
}

int sscanf(const char *string, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return read_text(string, format, &list);
}
