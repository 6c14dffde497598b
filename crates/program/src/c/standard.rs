//! The functions of the C library by header, ISO C's and the usual ones of POSIX: one table for whoever must know what a name is.
//!
//! A function that is listed here, has no model (`library.c`, `lower/library.rs`) and no body of the user's is still the library's. Its
//! result is not ours to invent: see `SiteKind::Invented`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Headers with the functions that they declare; those for `float` and `long double` end in f and l.
const HEADERS: &[(&str, &str)] = &[
    (
        "stdlib.h",
        "malloc calloc realloc reallocarray aligned_alloc posix_memalign free alloca abort exit _Exit quick_exit atexit \
         at_quick_exit abs labs llabs div ldiv lldiv atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof strtold \
         rand srand rand_r random srandom drand48 getenv setenv unsetenv putenv system realpath mkstemp bsearch qsort qsort_r \
         mblen mbtowc wctomb mbstowcs wcstombs strtoq strtouq l64a a64l initstate setstate random_r srandom_r initstate_r setstate_r \
         erand48 lrand48 nrand48 mrand48 jrand48 srand48 seed48 lcong48 drand48_r lrand48_r mrand48_r srand48_r arc4random arc4random_buf \
         arc4random_uniform valloc on_exit clearenv mktemp mkstemps mkdtemp ecvt fcvt gcvt ecvt_r fcvt_r getsubopt getloadavg ptsname",
    ),
    (
        "stdio.h",
        "printf fprintf sprintf snprintf dprintf asprintf vprintf vfprintf vsprintf vsnprintf scanf fscanf sscanf \
         vscanf vfscanf vsscanf getc getchar fgetc ungetc fgets gets putc putchar fputc fputs puts fread fwrite fopen freopen \
         fdopen popen tmpfile tmpnam fclose pclose fflush fseek ftell rewind fgetpos fsetpos feof ferror clearerr fileno \
         perror remove rename setbuf setvbuf getline getdelim tmpnam_r tempnam fmemopen open_memstream setbuffer setlinebuf vdprintf \
         vasprintf getc_unlocked getchar_unlocked fgetc_unlocked fputc_unlocked putc_unlocked putchar_unlocked fread_unlocked \
         fwrite_unlocked fgets_unlocked fputs_unlocked getw putw fseeko ftello clearerr_unlocked feof_unlocked ferror_unlocked \
         fileno_unlocked fflush_unlocked flockfile ftrylockfile funlockfile ctermid renameat",
    ),
    (
        "string.h",
        "memcpy mempcpy memmove memset memcmp memchr memrchr memccpy memmem strlen strnlen strcpy strncpy stpcpy stpncpy strlcpy \
         strlcat strcat strncat strcmp strncmp strcoll strxfrm strchr strrchr strchrnul strspn strcspn strpbrk strstr \
         strcasestr strtok strtok_r strsep strdup strndup strerror strsignal strcasecmp strncasecmp \
         strerror_r strerror_l strcoll_l strxfrm_l explicit_bzero strverscmp strfry memfrob rawmemchr basename",
    ),
    ("strings.h", "bcmp bcopy bzero index rindex ffs ffsl ffsll strcasecmp_l strncasecmp_l"),
    (
        "ctype.h",
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit isascii tolower \
         toupper toascii isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l \
         isxdigit_l tolower_l toupper_l",
    ),
    (
        "math.h",
        "acos asin atan atan2 cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 expm1 log log10 log2 log1p logb pow sqrt \
         cbrt hypot erf erfc tgamma lgamma ceil floor trunc round roundeven rint nearbyint fabs fmod remainder remquo copysign nextafter \
         nexttoward fdim fmax fmin fma frexp ldexp modf scalbn scalbln ilogb lround llround lrint llrint nan finite \
         drem significand j0 j1 jn y0 y1 yn gamma lgamma_r lgammaf_r lgammal_r scalb exp10 sincos nextup nextdown",
    ),
    (
        "fenv.h",
        "fegetround fesetround feclearexcept fetestexcept feraiseexcept fegetexceptflag fesetexceptflag fegetenv fesetenv feholdexcept \
         feupdateenv",
    ),
    (
        "time.h",
        "clock time difftime mktime gmtime localtime gmtime_r localtime_r asctime ctime strftime timespec_get clock_gettime \
         nanosleep strptime asctime_r ctime_r tzset timegm timelocal clock_getres clock_settime clock_nanosleep timer_create \
         timer_delete timer_settime timer_gettime getdate",
    ),
    ("arpa/inet.h", "htonl htons ntohl ntohs"),
    ("locale.h", "setlocale localeconv newlocale duplocale freelocale uselocale"),
    ("inttypes.h", "imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax"),
    ("signal.h", "signal raise kill sigemptyset sigfillset sigaddset sigdelset sigismember sigprocmask sigaction"),
    ("setjmp.h", "setjmp sigsetjmp longjmp siglongjmp"),
    (
        "wchar.h",
        "wcslen wcscpy wcsncpy wcscat wcscmp wcsncmp wcschr wcsrchr wmemcpy wmemset wmemcmp mbrtowc wcrtomb mbrlen wcstol wcstod \
         btowc wctob wcsncat wcsnlen wcscasecmp wcsncasecmp wcscoll wcsxfrm wcsdup wcscspn wcsspn wcspbrk wcsstr wcstok wmemchr \
         wmemmove wmempcpy mbsinit mbsrtowcs wcsrtombs mbsnrtowcs wcsnrtombs wcwidth wcswidth wcstof wcstold wcstoul wcstoll \
         wcstoull wcpcpy wcpncpy open_wmemstream fwide fwprintf wprintf swprintf vfwprintf vwprintf vswprintf fwscanf wscanf \
         swscanf vfwscanf vwscanf vswscanf fgetwc getwc getwchar fputwc putwc putwchar fgetws fputws ungetwc wcsftime",
    ),
    (
        "wctype.h",
        "iswalpha iswdigit iswalnum iswspace iswupper iswlower iswcntrl iswgraph iswprint iswpunct iswxdigit iswblank wctype iswctype \
         wctrans towctrans towupper towlower",
    ),
    (
        "complex.h",
        "cacos casin catan ccos csin ctan cacosh casinh catanh ccosh csinh ctanh cexp clog cpow csqrt cabs carg conj cproj cimag creal \
         cacosf casinf catanf ccosf csinf ctanf cexpf clogf cpowf csqrtf cabsf cargf conjf cprojf cimagf crealf cabsl cargl conjl \
         cimagl creall csqrtl cexpl clogl cpowl",
    ),
    ("uchar.h", "mbrtoc16 c16rtomb mbrtoc32 c32rtomb"),
    (
        "unistd.h",
        "read write close lseek access unlink rmdir chdir getcwd dup dup2 pipe isatty ftruncate fsync fork execv \
         execvp execl execlp _exit getpid getppid getuid geteuid getgid getegid sleep usleep alarm pause sysconf getopt \
         gethostname sbrk",
    ),
    (
        "pthread.h",
        "pthread_create pthread_join pthread_detach pthread_cancel pthread_exit pthread_self pthread_equal pthread_once pthread_attr_init \
         pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize pthread_mutex_init \
         pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_init \
         pthread_mutexattr_settype pthread_mutexattr_destroy pthread_cond_init pthread_cond_destroy pthread_cond_wait \
         pthread_cond_timedwait pthread_cond_signal pthread_cond_broadcast pthread_rwlock_init pthread_rwlock_destroy \
         pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock pthread_barrier_init pthread_barrier_wait \
         pthread_barrier_destroy pthread_spin_init pthread_spin_lock pthread_spin_unlock pthread_key_create \
         pthread_key_delete pthread_getspecific pthread_setspecific sched_yield",
    ),
];

/// Functions whose numbers come from outside the program: any of them is right.
const OUTSIDE: &str = "\
    feof ferror ftell fseek fsetpos ungetc fileno remove rename system pclose raise kill close lseek access unlink rmdir chdir dup dup2 \
    isatty ftruncate fsync getpid getppid getuid geteuid getgid getegid alarm sysconf time clock rand random setenv \
    unsetenv putenv pthread_mutex_trylock pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock rewind clearerr \
    pthread_spin_lock pthread_spin_unlock pthread_cond_signal pthread_cond_broadcast pthread_attr_init pthread_attr_destroy \
    pthread_attr_setdetachstate pthread_attr_setstacksize pthread_mutexattr_init pthread_mutexattr_settype \
    pthread_mutexattr_destroy pthread_cond_init pthread_cond_destroy pthread_rwlock_init pthread_rwlock_destroy \
    pthread_barrier_init pthread_barrier_destroy pthread_spin_init pthread_self sigemptyset sigfillset sigaddset sigdelset \
    sigprocmask sigaction fdopen popen arc4random fseeko ftello getw putw feof_unlocked ferror_unlocked fileno_unlocked \
    clearerr_unlocked flockfile ftrylockfile funlockfile renameat clock_settime timer_delete setlinebuf on_exit clearenv";

/// Functions that write through a pointer that they get: without a model, nobody knows what is there afterwards.
const WRITES: &str = "\
    posix_memalign rand_r realpath mkstemp mbtowc wctomb mbstowcs wcstombs sprintf snprintf asprintf vsprintf vsnprintf \
    sscanf vscanf vfscanf vsscanf tmpnam fgetpos getdelim memccpy stpncpy strlcpy strlcat strxfrm strtok_r \
    strsep frexp modf remquo gmtime_r localtime_r timespec_get clock_gettime getcwd pipe gethostname wcscpy wcsncpy wcscat \
    wmemcpy wmemset mbrtowc wcrtomb wcstol wcstod strtol strtoll strtoul strtoull strtod strtof strtold strtoimax \
    strtoumax fegetexceptflag fegetenv feholdexcept lgamma_r lgammaf_r lgammal_r sincos strtoq strtouq initstate random_r srandom_r \
    initstate_r setstate_r erand48 nrand48 jrand48 seed48 drand48_r lrand48_r mrand48_r srand48_r arc4random_buf mktemp mkstemps \
    mkdtemp gcvt ecvt fcvt ecvt_r fcvt_r getsubopt getloadavg tmpnam_r fmemopen open_memstream open_wmemstream setbuffer vasprintf \
    fread_unlocked fgets_unlocked strerror_r strxfrm_l explicit_bzero strfry memfrob basename strptime asctime_r ctime_r clock_getres \
    clock_nanosleep timer_create timer_settime timer_gettime wcsncat wcsxfrm wcstok wmemmove wmempcpy mbsrtowcs wcsrtombs \
    mbsnrtowcs wcsnrtombs wcstof wcstold wcstoul wcstoll wcstoull wcstoimax wcstoumax wcpcpy wcpncpy swprintf vswprintf fwscanf \
    wscanf swscanf vfwscanf vwscanf vswscanf fgetws wcsftime mbrtoc16 c16rtomb mbrtoc32 c32rtomb";

/// Headers whose functions leave `errno` alone, but for those that are named in the next list.
const QUIET: &str = "string.h strings.h ctype.h arpa/inet.h setjmp.h wctype.h fenv.h";

/// Functions of these that may set it.
const LOUD: &str = "strdup strndup strerror strcoll strxfrm strsignal";

/// Functions of other headers that leave `errno` alone, or whose models set it as they should.
const KEEP: &str = "\
    free alloca abort exit _Exit quick_exit atexit at_quick_exit abs labs llabs div ldiv lldiv atoi atol atoll strtol strtoll \
    strtoul strtoull wcstol wcstoll wcstoul wcstoull rand srand rand_r random srandom drand48 getenv bsearch qsort qsort_r imaxabs imaxdiv strtoimax strtoumax fabs floor \
    ceil trunc round roundeven rint nearbyint copysign fmax fmin frexp modf nan time clock difftime gmtime gmtime_r \
    localtime localtime_r signal raise";

/// Whether nobody knows what `errno` is after a call of this function.
pub(super) fn disturbs_errno(name: &str) -> bool {
    let plain = name.strip_suffix(['f', 'l']).unwrap_or(name);
    let listed = |list: &str, name: &str| list.split_whitespace().any(|known| known == name);
    match header_of(name) {
        None => false,
        Some(header) if listed(QUIET, header) => listed(LOUD, name),
        Some("math.h") => !listed(KEEP, name) && !listed(KEEP, plain),
        Some(_) => !listed(KEEP, name),
    }
}

/// What a call of a library function without a model does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Without {
    /// Its result comes from outside: an input.
    Model,
    /// Its result is unknown to us, and the program is right to count on it.
    Result,
    /// It writes what we do not know.
    Writes,
}

/// The header that declares a function of the library.
pub(super) fn header_of(name: &str) -> Option<&'static str> {
    static FIRST: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let all = HEADERS.iter().rev().flat_map(|(header, names)| names.split_whitespace().map(|name| (name, *header)));
        all.collect()
    });
    let in_math = |name: &str| {
        let mut math =
            HEADERS.iter().filter(|header| header.0 == "math.h").flat_map(|header| header.1.split_whitespace());
        math.any(|known| known == name).then_some("math.h")
    };
    FIRST.get(name).copied().or_else(|| in_math(name.strip_suffix(['f', 'l'])?))
}

/// What becomes of a call of such a function.
pub(super) fn without_model(name: &str) -> Without {
    let plain = name.strip_suffix(['f', 'l']).unwrap_or(name);
    let listed = |list: &str| {
        list.split_whitespace().any(|known| known == name || (known == plain && header_of(plain) == Some("math.h")))
    };
    match () {
        () if listed(WRITES) => Without::Writes,
        () if listed(OUTSIDE) => Without::Model,
        () => Without::Result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who adds a declaration to one of our headers adds it to the table.
    #[test]
    fn every_function_of_our_headers_is_listed() {
        for (header, text) in crate::c::front::own_headers() {
            for line in text.lines().filter(|line| line.ends_with(");") && !line.starts_with(['#', ' '])) {
                let Some((before, _)) = line.split_once('(') else { continue };
                let name = before.rsplit([' ', '*']).next().unwrap_or_default();
                let name = if name == "__NEARMISS_MATH1" || name == "__NEARMISS_MATH2" {
                    line.split(['(', ')']).nth(1).unwrap_or_default()
                } else {
                    name
                };
                if !name.is_empty() && !name.starts_with("__") && !line.starts_with("typedef") {
                    assert!(header_of(name).is_some(), "{header}: {name} is not in the table");
                }
            }
        }
    }
}
