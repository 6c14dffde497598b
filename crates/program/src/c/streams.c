/* Standard input and output where both are known (trial.rs): the bytes of a trial are read, and what is printed is compared with what is
 * expected, as it is printed. Functions that start with shared_ are lowered once for all calls; what the claim at a call says is
 * found out there. */

#ifdef NEARMISS_CRASH
#define NEARMISS_OTHER_FILE "another file than the crash file"
#elif defined NEARMISS_VERSIONS
#define NEARMISS_CRASH_IN_FILE 0
#define NEARMISS_OTHER_FILE "a file that is no standard stream, where programs are compared"
#else
#define NEARMISS_CRASH_IN_FILE 0
#define NEARMISS_OTHER_FILE "a file that is no standard stream, where tests are given"
#endif
/* The number of the stream that is read. */
#define NEARMISS_INPUT (NEARMISS_CRASH_IN_FILE ? 3 : 0)

/* Of a crash file: whether a fuzz target gets it, and not standard input. */
int __nearmiss_trial;
int __nearmiss_status;
int __nearmiss_argc;
char **__nearmiss_argv;
/* Otherwise what is printed is kept. */
_Bool __nearmiss_comparing = 1;
char __nearmiss_printed[NEARMISS_ROOM];
size_t __nearmiss_printed_size;
static const struct trial *trial;
static struct input standard_input;
size_t __nearmiss_reached;
static _Bool is_wrong, at_end;

void __nearmiss_stop(void);
void __nearmiss_claim_output(_Bool condition, const char *text);
void __nearmiss_claim_output_end(_Bool condition, const char *text);
void __nearmiss_claim_exit_status(_Bool condition, const char *text);
#ifdef NEARMISS_VERSIONS
#define CLAIM_PRINTED __nearmiss_claim_output(!is_wrong, "what is printed is what " NEARMISS_REFERENCE " prints")
#else
#define CLAIM_PRINTED __nearmiss_claim_output(!is_wrong, "what is printed is what is expected")
#endif

void __nearmiss_begin_trial(void)
{
#ifdef NEARMISS_VERSIONS
    feed_console();
    trial = &trials[0];
#elif defined NEARMISS_CRASH
    feed_crash(!__nearmiss_trial);
    trials[0].input = (const char *)__nearmiss_crash_data;
    trials[0].input_size = __nearmiss_crash_size;
    trial = &trials[0];
#else
    trial = &trials[__nearmiss_trial];
#endif
    standard_input.string = trial->input;
#ifdef NEARMISS_VERSIONS
    standard_input.is_short = NEARMISS_INPUT_SIZE <= 8;
#endif
    __nearmiss_argc = trial->count;
    __nearmiss_argv = trial->arguments;
}

#ifdef NEARMISS_VERSIONS
/* Two programs, one after the other: what the reference prints is kept in pieces, a character or a number with the conversion that writes
 * it. What the other one prints is compared with them: where both print the same number by the same conversion, nobody asks for
 * its digits. */
#define MOST_PIECES 1024
struct piece {
    /* The conversion; 0: a character. */
    unsigned long long form;
    unsigned long long value;
};
#define pieces __nearmiss_pieces
#define piece_count __nearmiss_piece_count
#define next_piece __nearmiss_next_piece
#define begun __nearmiss_begun
static struct piece pieces[MOST_PIECES];
static size_t piece_count, next_piece;
/* So many characters of the next piece were printed. */
static int begun;
static _Bool is_reference = 1;
/* The reference ended by exit. */
_Bool __nearmiss_left;
int __nearmiss_reference_status;
/* Where nobody compares: how much of what is printed the reference printed. */
size_t __nearmiss_reference_printed;

#define LEFT_FORM (1 << 8)
#define ZEROS_FORM (1 << 9)
#define PLUS_FORM (1 << 10)
#define SPACE_FORM (1 << 11)
#define OTHER_FORM (1 << 12)
#define WIDE_FORM (1 << 13)
#define ENDS_FORM (1ULL << 14)

static unsigned long long form_of(const struct conversion *how)
{
    unsigned long long form = how->kind;
    form |= (how->left ? LEFT_FORM : 0) | (how->zeros ? ZEROS_FORM : 0) | (how->plus ? PLUS_FORM : 0);
    form |= (how->space ? SPACE_FORM : 0) | (how->other_form ? OTHER_FORM : 0) | (how->length > 0 ? WIDE_FORM : 0);
    form |= how->ends ? ENDS_FORM : 0;
    return form | (unsigned long long)how->width << 16 | (unsigned long long)(how->precision + 1) << 32;
}

static struct conversion conversion_of(unsigned long long form)
{
    struct conversion how = { 0 };
    how.left = (form & LEFT_FORM) != 0;
    how.zeros = (form & ZEROS_FORM) != 0;
    how.plus = (form & PLUS_FORM) != 0;
    how.space = (form & SPACE_FORM) != 0;
    how.other_form = (form & OTHER_FORM) != 0;
    how.length = (form & WIDE_FORM) != 0;
    how.width = form >> 16 & 0xffff;
    how.precision = (int)(form >> 32 & 0xffff) - 1;
    how.kind = form & 0xff;
    return how;
}

/* Digits of a number, last one first, and how many: each in its place, so that every loop ends where it can be seen. */
#define MOST_DIGITS 22

static int all_digits(unsigned long long value, unsigned base, int most, _Bool upper, char *digits)
{
    int count = 0;
    for (int i = 0; i < most; i++) {
        unsigned digit = value % base;
        digits[i] = digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + (digit - 10);
        count += value != 0;
        value /= base;
    }
    return count;
}

static int narrow_digits(unsigned value, unsigned base, int most, _Bool upper, char *digits)
{
    int count = 0;
    for (int i = 0; i < most; i++) {
        unsigned digit = value % base;
        digits[i] = digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + (digit - 10);
        count += value != 0;
        value /= base;
    }
    return count;
}

/* A character of the text of an integer; 0 behind its end. */
static char integer_character(const struct conversion *how, unsigned long long value, int at)
{
    char digits[MOST_DIGITS];
    int count;
    _Bool minus = (how->kind == 'd' || how->kind == 'i') && (long long)value < 0;
    value = minus ? -value : value;
    _Bool wide = how->length > 0, upper = how->kind == 'X';
    if (how->kind == 'o')
        count = wide ? all_digits(value, 8, 22, 0, digits) : narrow_digits(value, 8, 11, 0, digits);
    else if ((how->kind | 32) == 'x')
        count = wide ? all_digits(value, 16, 16, upper, digits) : narrow_digits(value, 16, 8, upper, digits);
    else
        count = wide ? all_digits(value, 10, 20, 0, digits) : narrow_digits(value, 10, 10, 0, digits);
    struct layout layout = lay_out(how, count, minus);
    int blanks = layout.blanks > 0 ? layout.blanks : 0;
    if (!how->left) {
        if (at < blanks)
            return ' ';
        at -= blanks;
    }
    if (layout.sign != 0) {
        if (at == 0)
            return layout.sign;
        at--;
    }
    if (layout.prefix) {
        if (at < 2)
            return at == 0 ? '0' : how->kind;
        at -= 2;
    }
    if (at < layout.zeros)
        return '0';
    at -= layout.zeros;
    if (at < count)
        return digits[count - 1 - at];
    return how->left && at - count < blanks ? ' ' : 0;
}

/* The same of a float. */
static char double_character(const struct conversion *how, double value, int at)
{
    struct float_layout layout = lay_out_float(how, value);
    int blanks = layout.blanks > 0 ? layout.blanks : 0;
    if (!how->left && !layout.zeros) {
        if (at < blanks)
            return ' ';
        at -= blanks;
    }
    if (layout.sign != 0) {
        if (at == 0)
            return layout.sign;
        at--;
    }
    if (at < layout.start)
        return float_character(how, value, at);
    if (layout.zeros) {
        if (at - layout.start < blanks)
            return '0';
        at -= blanks;
    }
    if (at < layout.count)
        return float_character(how, value, at);
    return how->left && at - layout.count < blanks ? ' ' : 0;
}

/* The same of a piece. */
static char character_of(unsigned long long form, unsigned long long value, int at)
{
    if (form == 0)
        return at == 0 ? value : 0;
    struct conversion how = conversion_of(form);
    if (float_kind(how.kind) >= 0)
        return double_character(&how, __nearmiss_double_of_bits(value), at);
    return integer_character(&how, value, at);
}

/* Whether a character may be part of the text that a conversion makes of a number. */
static _Bool is_of_number(unsigned long long form, char c)
{
    char kind = form & 0xff;
    if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == ' ')
        return 1;
    if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'o')
        return 0;
    return c == '.' || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* A character that the reference must have printed here. */
static void match(char c)
{
    if (is_wrong)
        return;
    if (next_piece == piece_count) {
        is_wrong = 1;
        return;
    }
    unsigned long long form = pieces[next_piece].form, value = pieces[next_piece].value;
    if (form == 0) {
        if ((char)value != c)
            is_wrong = 1;
        else
            next_piece++;
        return;
    }
    if (!is_of_number(form, c) || character_of(form, value, begun) != c) {
        is_wrong = 1;
        return;
    }
    begun++;
    if (character_of(form, value, begun) == 0) {
        begun = 0;
        next_piece++;
    }
}

static void print_piece(unsigned long long form, unsigned long long value)
{
    if (is_reference) {
#ifndef NEARMISS_ALONE
        if (piece_count == MOST_PIECES)
            __nearmiss_unsupported("a reference that prints more than 1024 characters and numbers");
        pieces[piece_count].form = form;
        pieces[piece_count].value = value;
        piece_count++;
#endif
        return;
    }
    if (begun == 0 && next_piece < piece_count) {
        unsigned long long expected = pieces[next_piece].form;
        /* Two characters; or integers behind which both print the same, which is no digit. Without a branch, so that it stays known which
         * piece is next: behind what is wrong nobody looks. */
        if (expected == form && (form == 0 || ((form & ENDS_FORM) != 0 && float_kind(form & 0xff) < 0))) {
            is_wrong |= pieces[next_piece].value != value;
            next_piece++;
            return;
        }
        if ((expected & ~ENDS_FORM) == (form & ~ENDS_FORM) && pieces[next_piece].value == value) {
            next_piece++;
            return;
        }
    }
    if (is_wrong)
        return;
    if (form == 0) {
        match(value);
        return;
    }
    /* Where the reference prints what is no part of a number, nobody asks for digits. */
    if (begun == 0 && (next_piece == piece_count || (pieces[next_piece].form == 0 && !is_of_number(form, pieces[next_piece].value)))) {
        is_wrong = 1;
        return;
    }
    if (float_kind(form & 0xff) >= 0) {
        for (int i = 0; character_of(form, value, i) != 0; i++)
            match(character_of(form, value, i));
        return;
    }
    int most = (form >> 16 & 0xffff) + (form >> 32 & 0xffff) + MOST_DIGITS + 2;
    for (int i = 0; i < most; i++) {
        char c = character_of(form, value, i);
        if (c != 0)
            match(c);
    }
}

/* Whether a number is compared as such. */
static _Bool shared_piece(const struct conversion *how, unsigned long long value)
{
    if (!__nearmiss_comparing || how->width > 60 || how->precision > 60 || how->precision == 0)
        return 0;
    print_piece(form_of(how), value);
    return 1;
}

/* What the reference found where it looked for numbers: who looks at the same place for the same finds the same. */
#define MOST_NUMBERS 32
#define numbers __nearmiss_numbers
#define number_count __nearmiss_number_count
#define next_number __nearmiss_next_number
static struct number numbers[MOST_NUMBERS];
static size_t number_count, next_number;

static struct number shared_number(struct input *input, int base, int width)
{
    struct number found = { 0 };
    unsigned long long value = 0;
    _Bool minus = 0;
    if (!is_reference && next_number < number_count && numbers[next_number].start == input->at
        && numbers[next_number].base == base && numbers[next_number].width == width) {
        found = numbers[next_number++];
        input->at = found.end;
        input->ended |= found.ended;
        return found;
    }
    found.start = input->at;
    found.base = base;
    found.width = width;
    skip_blanks(input);
    found.is_missing = next_of(input) == 0;
    if (!found.is_missing)
        found.any = read_number(input, base, width, &value, &minus);
    found.value = value;
    found.minus = minus;
    found.end = input->at;
    found.ended = input->ended;
    if (is_reference && number_count < MOST_NUMBERS)
        numbers[number_count++] = found;
    return found;
}

/* The reference has ended, and the other program begins. */
void nearmiss_reference_turn(int status)
{
    __nearmiss_reference_status = __nearmiss_left ? __nearmiss_status : status;
    __nearmiss_left = 0;
    is_reference = 0;
    __nearmiss_reference_printed = __nearmiss_printed_size;
    standard_input.at = 0;
    standard_input.ended = 0;
    at_end = 0;
}
#endif

static void must_be(char c)
{
    if ((long)__nearmiss_reached < trial->expected_size && trial->expected[__nearmiss_reached] == c)
        __nearmiss_reached++;
    else
        is_wrong = 1;
}

#if NEARMISS_COMPARE == 0
static void shared_print(char c)
{
    must_be(c);
}

static void shared_print_end(void) {}
#elif NEARMISS_COMPARE == 1
/* White space that may be the end of a line, or of all. */
#define MOST_BLANKS 256
static size_t open_lines, open_blanks;
static char blanks[MOST_BLANKS];

static void shared_print(char c)
{
    if (c == '\n') {
        open_lines++;
        open_blanks = 0;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
        if (open_blanks == MOST_BLANKS)
            __nearmiss_unsupported("more than 256 blanks in a row where white space is compared");
        blanks[open_blanks++] = c;
    } else {
        for (; open_lines > 0; open_lines--)
            must_be('\n');
        for (size_t i = 0; i < open_blanks; i++)
            must_be(blanks[i]);
        open_blanks = 0;
        must_be(c);
    }
}

static void shared_print_end(void) {}
#else
#define MOST_WORD 128
static size_t word_size;
static char word[MOST_WORD + 1], wanted[MOST_WORD + 1];

static _Bool is_number(const char *text, double *value)
{
    char *end;
    if (is_blank(*text))
        return 0;
    *value = strtod(text, &end);
    return end != text && *end == 0;
}

static void shared_end_word(void)
{
    size_t size = 0;
    double printed, expected;
    _Bool same = 1;
    if (word_size == 0)
        return;
    word[word_size] = 0;
    while ((long)__nearmiss_reached < trial->expected_size && is_blank(trial->expected[__nearmiss_reached]))
        __nearmiss_reached++;
    while ((long)__nearmiss_reached < trial->expected_size && !is_blank(trial->expected[__nearmiss_reached])) {
        if (size == MOST_WORD)
            __nearmiss_unsupported("a word of more than 128 characters where numbers are compared");
        wanted[size++] = trial->expected[__nearmiss_reached++];
    }
    wanted[size] = 0;
    if (size != word_size)
        same = 0;
    for (size_t i = 0; i < size && same; i++)
        same = wanted[i] == word[i];
    word_size = 0;
    if (same)
        return;
    if (!is_number(word, &printed) || !is_number(wanted, &expected)) {
        is_wrong = 1;
        return;
    }
    double difference = printed < expected ? expected - printed : printed - expected;
    double size_of = expected < 0 ? -expected : expected;
    if (!(difference <= 1e-6 * (size_of < 1 ? 1 : size_of)))
        is_wrong = 1;
}

static void shared_print(char c)
{
    if (is_blank(c)) {
        shared_end_word();
        return;
    }
    if (word_size == MOST_WORD)
        __nearmiss_unsupported("a word of more than 128 characters where numbers are compared");
    word[word_size++] = c;
}

static void shared_print_end(void)
{
    shared_end_word();
    while ((long)__nearmiss_reached < trial->expected_size && is_blank(trial->expected[__nearmiss_reached]))
        __nearmiss_reached++;
}
#endif

/* A character on standard output. */
static void shared_put(char c)
{
    if (__nearmiss_comparing) {
#ifdef NEARMISS_VERSIONS
        print_piece(0, (unsigned char)c);
        return;
#endif
        if (trial->expected_size >= 0 && !is_wrong)
            shared_print(c);
        return;
    }
    if (__nearmiss_printed_size == NEARMISS_ROOM)
        __nearmiss_stop();
    __nearmiss_printed[__nearmiss_printed_size++] = c;
}

void __nearmiss_end_trial(void)
{
#ifdef NEARMISS_VERSIONS
    if (__nearmiss_comparing) {
        __nearmiss_claim_output_end(next_piece == piece_count, "all that " NEARMISS_REFERENCE " prints is printed");
        __nearmiss_claim_exit_status(
            (__nearmiss_status & 255) == (__nearmiss_reference_status & 255), "the exit status is that of " NEARMISS_REFERENCE);
    }
    return;
#endif
    if (__nearmiss_comparing && trial->expected_size >= 0) {
        shared_print_end();
        CLAIM_PRINTED;
        __nearmiss_claim_output_end((long)__nearmiss_reached == trial->expected_size, "all that is expected was printed");
    }
    if (__nearmiss_comparing && trial->status >= 0)
        __nearmiss_claim_exit_status((__nearmiss_status & 255) == trial->status, "the exit status is what is expected");
}

/* Output. Only standard output is compared; standard error is not. */

static _Bool shared_is_output(const FILE *file)
{
    if (file->__number != 1 && file->__number != 2)
        __nearmiss_unsupported(NEARMISS_OTHER_FILE);
    return file->__number == 1;
}

static int shared_print_text(const FILE *file, const char *format, va_list *list)
{
    struct text text = { 0, 0, 0, shared_is_output(file) };
#ifdef NEARMISS_VERSIONS
    text.is_error = !text.is_output;
#endif
    return make_characters(&text, format, list);
}

int printf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int count = shared_print_text(stdout, format, &list);
    CLAIM_PRINTED;
    return count;
}

int fprintf(FILE *file, const char *format, ...)
{
    __nearmiss_claim_stream(file, "fprintf: $1 is not NULL");
    va_list list;
    __builtin_va_start(list, format);
    int count = shared_print_text(file, format, &list);
    CLAIM_PRINTED;
    return count;
}

int vfprintf(FILE *file, const char *format, va_list list)
{
    __nearmiss_claim_stream(file, "vfprintf: $1 is not NULL");
    va_list own;
    __builtin_va_copy(own, list);
    int count = shared_print_text(file, format, &own);
    CLAIM_PRINTED;
    return count;
}

int vprintf(const char *format, va_list list) { return vfprintf(stdout, format, list); }

int fputc(int c, FILE *file)
{
    __nearmiss_claim_stream(file, "fputc: $2 is not NULL");
    if (shared_is_output(file)) {
        shared_put(c);
        CLAIM_PRINTED;
    }
    return (unsigned char)c;
}

int putc(int c, FILE *file) { return fputc(c, file); }

int putchar(int c)
{
    shared_put(c);
    CLAIM_PRINTED;
    return (unsigned char)c;
}

static int shared_put_string(const char *string, const FILE *file)
{
    _Bool is_output = shared_is_output(file);
    for (;; string++) {
        __nearmiss_claim_readable(string, 1, "the text that is printed is terminated");
        if (*string == 0)
            return 1;
        if (is_output)
            shared_put(*string);
    }
}

int fputs(const char *string, FILE *file)
{
    __nearmiss_claim_stream(file, "fputs: $2 is not NULL");
    int done = shared_put_string(string, file);
    CLAIM_PRINTED;
    return done;
}

int puts(const char *string)
{
    shared_put_string(string, stdout);
    shared_put('\n');
    CLAIM_PRINTED;
    return 1;
}

size_t fwrite(const void *memory, size_t size, size_t count, FILE *file)
{
    const char *bytes = memory;
    __nearmiss_claim_stream(file, "fwrite: $4 is not NULL");
    __nearmiss_claim_readable(memory, size * count, "fwrite: $3 elements of $2 bytes can be read from $1");
    _Bool is_output = shared_is_output(file);
    for (size_t i = 0; i < size * count && is_output; i++)
        shared_put(bytes[i]);
    CLAIM_PRINTED;
    return size == 0 ? 0 : count;
}

ssize_t write(int file, const void *memory, size_t size)
{
    const char *bytes = memory;
    __nearmiss_claim_readable(memory, size, "write: $3 bytes can be read from $2");
    if (file != 1 && file != 2)
        __nearmiss_unsupported(NEARMISS_OTHER_FILE);
    for (size_t i = 0; i < size && file == 1; i++)
        shared_put(bytes[i]);
    CLAIM_PRINTED;
    return size;
}

/* What the error is called is not compared, and not made. */
void perror(const char *string)
{
    if (string != 0)
        shared_put_string(string, stderr);
}

int fflush(FILE *file) { return 0; }

/* Input. */

static void shared_is_there(void)
{
#ifdef NEARMISS_CRASH
    if (__nearmiss_trial)
        __nearmiss_unsupported("standard input in a fuzz target");
#endif
}

static int shared_get(void)
{
    if ((long)standard_input.at == trial->input_size) {
        at_end = 1;
        return -1;
    }
    return (unsigned char)standard_input.string[standard_input.at++];
}

static void shared_is_input(const FILE *file)
{
    shared_is_there();
    if (file->__number != NEARMISS_INPUT)
        __nearmiss_unsupported(NEARMISS_OTHER_FILE);
}

static int shared_get_standard(void)
{
    shared_is_input(stdin);
    return shared_get();
}

int getchar(void) { return shared_get_standard(); }

int getchar_unlocked(void) { return shared_get_standard(); }

int fgetc(FILE *file)
{
    __nearmiss_claim_stream(file, "fgetc: $1 is not NULL");
    shared_is_input(file);
    return shared_get();
}

int getc(FILE *file)
{
    __nearmiss_claim_stream(file, "getc: $1 is not NULL");
    shared_is_input(file);
    return shared_get();
}

int ungetc(int c, FILE *file)
{
    __nearmiss_claim_stream(file, "ungetc: $2 is not NULL");
    shared_is_input(file);
    if (c == -1)
        return -1;
    if (standard_input.at == 0 || (unsigned char)standard_input.string[standard_input.at - 1] != (unsigned char)c)
        __nearmiss_unsupported("ungetc of another character than was read, where what is read is given");
    standard_input.at--;
    at_end = 0;
    return (unsigned char)c;
}

int feof(FILE *file)
{
    __nearmiss_claim_stream(file, "feof: $1 is not NULL");
    shared_is_input(file);
    return at_end;
}

int ferror(FILE *file)
{
    __nearmiss_claim_stream(file, "ferror: $1 is not NULL");
    return 0;
}

void clearerr(FILE *file)
{
    __nearmiss_claim_stream(file, "clearerr: $1 is not NULL");
    at_end = 0;
}

char *fgets(char *line, int size, FILE *file)
{
    __nearmiss_claim_stream(file, "fgets: $3 is not NULL");
    shared_is_input(file);
    int length = 0;
    if (size <= 0)
        return 0;
    __nearmiss_claim_writable(line, size, "fgets: $2 bytes can be written to $1");
    while (length < size - 1) {
        int c = shared_get();
        if (c < 0 && length == 0)
            return 0;
        if (c < 0)
            break;
        line[length++] = c;
        if (c == '\n')
            break;
    }
    line[length] = 0;
    return line;
}

char *gets(char *line)
{
    size_t length = 0;
    for (;;) {
        int c = shared_get();
        if (c < 0 && length == 0)
            return 0;
        __nearmiss_claim_writable(line + length, 1, "gets: the line fits into $1");
        if (c < 0 || c == '\n')
            break;
        line[length++] = c;
    }
    line[length] = 0;
    return line;
}

size_t fread(void *memory, size_t size, size_t count, FILE *file)
{
    char *bytes = memory;
    __nearmiss_claim_stream(file, "fread: $4 is not NULL");
    shared_is_input(file);
    __nearmiss_claim_writable(memory, size * count, "fread: $3 elements of $2 bytes can be written to $1");
    size_t done = 0;
    while (done < size * count) {
        int c = shared_get();
        if (c < 0)
            break;
        bytes[done++] = c;
    }
    return size == 0 ? 0 : done / size;
}

ssize_t read(int file, void *memory, size_t size)
{
    char *bytes = memory;
    shared_is_there();
    if (file != NEARMISS_INPUT)
        __nearmiss_unsupported(NEARMISS_OTHER_FILE);
    __nearmiss_claim_writable(memory, size, "read: $3 bytes can be written to $2");
    size_t done = 0;
    while (done < size) {
        int c = shared_get();
        if (c < 0)
            break;
        bytes[done++] = c;
    }
    return done;
}

ssize_t getline(char **line, size_t *size, FILE *file)
{
    __nearmiss_claim_stream(file, "getline: $3 is not NULL");
    __nearmiss_claim_writable(line, sizeof(char *), "getline: a pointer can be written to $1");
    __nearmiss_claim_writable(size, sizeof(size_t), "getline: a size can be written to $2");
    __nearmiss_claim_freeable(*line, "getline: $1 points to NULL or to the start of allocated memory that is not freed yet");
    shared_is_input(file);
    size_t length = 0, left = trial->input_size - standard_input.at;
    while (length < left && standard_input.string[standard_input.at + length++] != '\n')
        ;
    if (length == left && (left == 0 || standard_input.string[standard_input.at + left - 1] != '\n'))
        at_end = 1;
    if (length == 0)
        return -1;
    if (*line == 0 || *size <= length) {
        size_t room = length < 120 ? 120 : length + 1;
        taken(*line);
        __nearmiss_free(*line);
        *line = given(__nearmiss_allocate(room, 0));
        *size = room;
    }
    __nearmiss_copy(*line, standard_input.string + standard_input.at, length);
    (*line)[length] = 0;
    standard_input.at += length;
    return length;
}

static int shared_scan(const char *format, va_list *list)
{
    shared_is_there();
    int found = read_input(&standard_input, format, list);
#ifdef NEARMISS_CRASH
    if (standard_input.ended && (long)standard_input.at < trial->input_size)
        __nearmiss_unsupported("scanf where it comes to a zero byte of the crash file");
#endif
    at_end |= standard_input.ended;
    standard_input.ended = 0;
    return found;
}

int scanf(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return shared_scan(format, &list);
}

int vscanf(const char *format, va_list list)
{
    va_list own;
    __builtin_va_copy(own, list);
    return shared_scan(format, &own);
}

int fscanf(FILE *file, const char *format, ...)
{
    __nearmiss_claim_stream(file, "fscanf: $1 is not NULL");
    shared_is_input(file);
    va_list list;
    __builtin_va_start(list, format);
    return shared_scan(format, &list);
}

#ifdef NEARMISS_CRASH
/* The file that an argument names. */
static FILE crash_file = { 3 };
static _Bool is_crash_file_open;

FILE *fopen(const char *path, const char *mode)
{
    static const char name[] = "input";
    size_t i = 0;
    __nearmiss_claim_readable(mode, 1, "fopen: $2 points to a string");
    for (;; i++) {
        __nearmiss_claim_readable(path + i, 1, "fopen: $1 points to a terminated string");
        if (path[i] != name[i])
            __nearmiss_unsupported(NEARMISS_OTHER_FILE);
        if (name[i] == 0)
            break;
    }
    if (*mode != 'r' || is_crash_file_open)
        __nearmiss_unsupported("a crash file that is written, or open twice");
    is_crash_file_open = 1;
    standard_input.at = 0;
    at_end = 0;
    return &crash_file;
}

int fclose(FILE *file)
{
    __nearmiss_claim_stream(file, "fclose: $1 is not NULL");
    if (file->__number == NEARMISS_INPUT)
        is_crash_file_open = 0;
    return 0;
}

int fseek(FILE *file, long offset, int whence)
{
    __nearmiss_claim_stream(file, "fseek: $1 is not NULL");
    shared_is_input(file);
    long base = whence == 0 ? 0 : whence == 1 ? (long)standard_input.at : trial->input_size;
    if (offset < -base)
        return -1;
    if (offset > trial->input_size - base)
        __nearmiss_unsupported("a place behind the end of the crash file");
    standard_input.at = base + offset;
    at_end = 0;
    return 0;
}

long ftell(FILE *file)
{
    __nearmiss_claim_stream(file, "ftell: $1 is not NULL");
    shared_is_input(file);
    return standard_input.at;
}

void rewind(FILE *file)
{
    __nearmiss_claim_stream(file, "rewind: $1 is not NULL");
    shared_is_input(file);
    standard_input.at = 0;
    at_end = 0;
}
#endif
