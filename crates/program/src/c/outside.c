/* Models of functions that ask the world: the time, the clock, the environment. What they find is an input. */

long __nearmiss_input_long(void);
size_t __nearmiss_input_size(const char *name);
char __nearmiss_input_character(const char *name);
/* What only the machine's library knows: claims that fail only with some of it are left undecided. */
int __nearmiss_unknown_int(const char *function);
char __nearmiss_unknown_character(const char *function);

typedef long time_t;
typedef long clock_t;

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

/* -1 where there is no time to tell. */
time_t time(time_t *target)
{
    time_t now = __nearmiss_input_long();
    __nearmiss_assume(now >= -1);
    if (target != 0) {
        __nearmiss_claim_writable(target, sizeof(time_t), "time: $1 is NULL, or a time can be written there");
        *target = now;
    }
    return now;
}

/* The clock does not go back. */
clock_t clock(void)
{
    static clock_t last;
    clock_t now = __nearmiss_input_long();
    __nearmiss_assume(now >= last);
    last = now;
    return now;
}

double difftime(time_t later, time_t earlier)
{
    if (__CPROVER_rounding_mode != 0)
        __nearmiss_unsupported("difftime where floats are not rounded to nearest (fesetround)");
    return later >= earlier ? (double)((unsigned long)later - earlier) : -(double)((unsigned long)earlier - later);
}

static long quotient_below(long left, long right)
{
    return left / right - (left % right < 0);
}

/* The day and the time of day, from seconds since 1970. Years are counted from March: then a leap day is the last of its year.
   What is assumed is always so; the solver would take long to find it out. */
static void break_down(long seconds, struct tm *into)
{
    long days = quotient_below(seconds, 86400);
    int rest = seconds - days * 86400;
    __nearmiss_assume(rest >= 0 && rest < 86400);
    into->tm_hour = rest / 3600;
    into->tm_min = rest / 60 % 60;
    into->tm_sec = rest % 60;
    into->tm_wday = ((days + 4) % 7 + 7) % 7;
    long since = days + 719468, era = quotient_below(since, 146097);
    int day = since - era * 146097;
    __nearmiss_assume(day >= 0 && day < 146097);
    int year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    __nearmiss_assume(year >= 0 && year < 400 && day >= 0 && day < 366);
    int month = (5 * day + 2) / 153;
    into->tm_mday = day - (153 * month + 2) / 5 + 1;
    into->tm_mon = month < 10 ? month + 2 : month - 10;
    long full = year + era * 400 + (month >= 10);
    _Bool leap = (full % 4 == 0 && full % 100 != 0) || full % 400 == 0;
    into->tm_year = full - 1900;
    into->tm_yday = month < 10 ? day + 59 + leap : day - 306;
    __nearmiss_assume(into->tm_mday > 0 && into->tm_mday < 32 && into->tm_yday >= 0 && into->tm_yday < 366);
}

static struct tm broken_down;

static _Bool has_year(time_t seconds)
{
    if (seconds < -67768040609740800 || seconds > 67768036191676799) {
        errno = 75;
        return 0;
    }
    return 1;
}

struct tm *gmtime_r(const time_t *seconds, struct tm *into)
{
    __nearmiss_claim_readable(seconds, sizeof(time_t), "gmtime: a time can be read from $1");
    if (!has_year(*seconds))
        return 0;
    __nearmiss_claim_writable(into, sizeof(struct tm), "gmtime_r: a struct tm can be written to $2");
    break_down(*seconds, into);
    into->tm_isdst = 0;
    into->tm_gmtoff = 0;
    into->tm_zone = "GMT";
    return into;
}

struct tm *gmtime(const time_t *seconds) { return gmtime_r(seconds, &broken_down); }

/* The time zone is an input: as far from Greenwich as there are any. */
struct tm *localtime_r(const time_t *seconds, struct tm *into)
{
    __nearmiss_claim_readable(seconds, sizeof(time_t), "localtime: a time can be read from $1");
    if (!has_year(*seconds))
        return 0;
    __nearmiss_claim_writable(into, sizeof(struct tm), "localtime_r: a struct tm can be written to $2");
    int east = __nearmiss_input_int();
    __nearmiss_assume(east >= -50400 && east <= 50400);
    break_down(*seconds + east, into);
    into->tm_isdst = __nearmiss_input_bool();
    into->tm_gmtoff = east;
    into->tm_zone = "UTC";
    return into;
}

struct tm *localtime(const time_t *seconds) { return localtime_r(seconds, &broken_down); }

/* Fields may be out of their ranges, and are brought into them; which time of day it then is is up to the time zone. */
time_t mktime(struct tm *fields)
{
    __nearmiss_claim_writable(fields, sizeof(struct tm), "mktime: $1 points to a struct tm");
    long over = quotient_below(fields->tm_mon, 12), month = fields->tm_mon - over * 12;
    long year = fields->tm_year + 1900L + over - (month < 2), era = quotient_below(year, 400);
    __nearmiss_assume(month >= 0 && month < 12 && year - era * 400 >= 0 && year - era * 400 < 400);
    int of_era = year - era * 400, day = (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5;
    long days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + day + fields->tm_mday - 1 - 719468;
    long seconds = days * 86400 + fields->tm_hour * 3600L + fields->tm_min * 60L + fields->tm_sec;
    if (!has_year(seconds))
        return -1;
    int told = __nearmiss_input_int(), east = __nearmiss_input_int();
    /* Where the clock is not what the fields say (`tm_isdst`, or an hour that is left out), it is off by two hours at most. */
    __nearmiss_assume(east >= -50400 && east <= 50400 && told >= east - 7200 && told <= east + 7200);
    break_down(seconds - told + east, fields);
    fields->tm_isdst = __nearmiss_input_bool();
    fields->tm_gmtoff = east;
    fields->tm_zone = "UTC";
    return seconds - told;
}

size_t strftime(char *text, size_t size, const char *format, const struct tm *fields)
{
    for (size_t i = 0;; i++) {
        __nearmiss_claim_readable(format + i, 1, "strftime: $3 points to a terminated string");
        if (format[i] == 0)
            break;
    }
    __nearmiss_claim_readable(fields, sizeof(struct tm), "strftime: a struct tm can be read from $4");
    __nearmiss_claim_writable(text, size, "strftime: $2 bytes can be written to $1");
    int length = __nearmiss_unknown_int("strftime()");
    __nearmiss_assume(length == 0 || (length > 0 && (size_t)length < size));
    for (size_t i = 0; i < size; i++) {
        char c = __nearmiss_unknown_character("strftime()");
        __nearmiss_assume(length == 0 || (i < (size_t)length) == (c != 0) || i > (size_t)length);
        text[i] = c;
    }
    return length;
}

static char error_text[64];

/* Some text. */
char *strerror(int number)
{
    for (int i = 0; i < 63; i++)
        error_text[i] = __nearmiss_unknown_character("strerror()");
    error_text[63] = 0;
    return error_text;
}

#ifndef NEARMISS_TRIALS
/* What `%s`, `%[…]` and `%9c` of scanf store: so many characters of a set of 256, and a 0 behind those of the first two.
   Lowering reads the format (lower/scan.rs) and calls this for each: $1 is where they go, $2 the function. */
static void scan_characters(char *target, size_t least, size_t most, _Bool ends, unsigned long long set0,
                            unsigned long long set1, unsigned long long set2, unsigned long long set3)
{
    size_t length = least;
    if (least < most) {
        length = __nearmiss_input_size("length of $1");
        __nearmiss_assume(least <= length && length <= most);
    }
    __nearmiss_claim_writable(target, length + ends, "$2: what is read can be written to $1");
    for (size_t i = 0; i < length; i++) {
        char c = __nearmiss_input_character("$1");
        unsigned char number = c;
        unsigned long long set = number < 128 ? (number < 64 ? set0 : set1) : (number < 192 ? set2 : set3);
        __nearmiss_assume((set >> (number & 63) & 1) != 0);
        target[i] = c;
    }
    if (ends)
        target[length] = 0;
}

int scanf(const char *format, ...)
{
    (void)scan_characters;
    __nearmiss_unsupported("a call of scanf through a pointer");
    return 0;
}

int fscanf(FILE *file, const char *format, ...)
{
    (void)scan_characters;
    __nearmiss_unsupported("a call of fscanf through a pointer");
    return 0;
}

/* A line of at least one character; a line break can only be its last. */
ssize_t getline(char **line, size_t *size, FILE *file)
{
    __nearmiss_claim_stream(file, "getline: $3 is not NULL");
    __nearmiss_claim_writable(line, sizeof(char *), "getline: a pointer can be written to $1");
    __nearmiss_claim_writable(size, sizeof(size_t), "getline: a size can be written to $2");
    __nearmiss_claim_freeable(*line, "getline: $1 points to NULL or to the start of allocated memory that is not freed yet");
    if (__nearmiss_input_bool())
        return -1;
    size_t length = __nearmiss_input_size("length of the line");
    __nearmiss_assume(length > 0 && length < 0x40000000);
    if (*line == 0 || *size <= length) {
        taken(*line);
        __nearmiss_free(*line);
        *line = given(__nearmiss_allocate(length + 1, 0));
        *size = length + 1;
    }
    char *to = *line;
    for (size_t i = 0; i < length; i++) {
        char c = __nearmiss_input_character("character of the line");
        __nearmiss_assume(c != '\n' || i + 1 == length);
        to[i] = c;
    }
    to[length] = 0;
    return length;
}
#endif

/* NULL, or any string. */
char *getenv(const char *name)
{
    size_t length = strlen(name);
    if (__nearmiss_input_bool())
        return 0;
    length = __nearmiss_input_int();
    __nearmiss_assume(length < 0x10000);
    char *value = __nearmiss_allocate(length + 1, 0);
    value[length] = 0;
    return value;
}

/* Signals: a handler runs when the program raises its signal, and no other signal comes. */

typedef void (*signal_handler)(int);
static signal_handler signal_handlers[65];
static _Bool is_handled[65];

static void handle(int number)
{
    if (is_handled[number])
        __nearmiss_unsupported("a signal that is raised by its own handler");
    is_handled[number] = 1;
    signal_handlers[number](number);
    is_handled[number] = 0;
}

static void run_abort_handler(void)
{
    if (signal_handlers[6] != 0 && signal_handlers[6] != (signal_handler)1)
        handle(6);
}

signal_handler signal(int number, signal_handler action)
{
    (void)run_abort_handler;
    if (number < 1 || number > 64 || number == 9 || number == 19) {
        errno = 22;
        return (signal_handler)-1;
    }
    signal_handler before = signal_handlers[number];
    signal_handlers[number] = action;
    return before;
}

void __nearmiss_stop(void);

int raise(int number)
{
    if (number < 0 || number > 64) {
        errno = 22;
        return -1;
    }
    /* Of 0 nobody hears, and some signals are passed over unless somebody listens. */
    _Bool is_silent = number == 0 || number == 17 || number == 18 || number == 23 || number == 28;
    if (signal_handlers[number] == (signal_handler)1 || (is_silent && signal_handlers[number] == 0))
        return 0;
    if (number >= 19 && number <= 22 && signal_handlers[number] == 0)
        __nearmiss_unsupported("a signal that stops the program until another one comes");
    if (signal_handlers[number] == 0)
        __nearmiss_stop();
    handle(number);
    return 0;
}

int kill(int process, int number)
{
    __nearmiss_unsupported("kill, which may end this program or call a handler");
    return 0;
}

int sigaction(int number, const void *action, void *before)
{
    __nearmiss_unsupported("sigaction; signal is known");
    return 0;
}
