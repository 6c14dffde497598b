/* inttypes.h */
#ifndef NEARMISS_INTTYPES_H
#define NEARMISS_INTTYPES_H
#include <stdint.h>
#if __SIZEOF_LONG__ == 8
#define __NEARMISS_64 "l"
#define __NEARMISS_PTR "l"
#else
#define __NEARMISS_64 "ll"
#define __NEARMISS_PTR ""
#endif
#if __SIZEOF_INT__ == 2
#define __NEARMISS_32 "l"
#if __SIZEOF_POINTER__ == 4
#undef __NEARMISS_PTR
#define __NEARMISS_PTR "l"
#endif
#else
#define __NEARMISS_32
#endif
#define PRId8 "hhd"
#define PRIi8 "hhi"
#define PRIo8 "hho"
#define PRIu8 "hhu"
#define PRIx8 "hhx"
#define PRIX8 "hhX"
#define PRId16 "hd"
#define PRIi16 "hi"
#define PRIo16 "ho"
#define PRIu16 "hu"
#define PRIx16 "hx"
#define PRIX16 "hX"
#define PRId32 __NEARMISS_32 "d"
#define PRIi32 __NEARMISS_32 "i"
#define PRIo32 __NEARMISS_32 "o"
#define PRIu32 __NEARMISS_32 "u"
#define PRIx32 __NEARMISS_32 "x"
#define PRIX32 __NEARMISS_32 "X"
#define PRId64 __NEARMISS_64 "d"
#define PRIi64 __NEARMISS_64 "i"
#define PRIo64 __NEARMISS_64 "o"
#define PRIu64 __NEARMISS_64 "u"
#define PRIx64 __NEARMISS_64 "x"
#define PRIX64 __NEARMISS_64 "X"
#define PRIdMAX PRId64
#define PRIiMAX PRIi64
#define PRIoMAX PRIo64
#define PRIuMAX PRIu64
#define PRIxMAX PRIx64
#define PRIXMAX PRIX64
#define PRIdPTR __NEARMISS_PTR "d"
#define PRIiPTR __NEARMISS_PTR "i"
#define PRIuPTR __NEARMISS_PTR "u"
#define PRIxPTR __NEARMISS_PTR "x"
#define PRIXPTR __NEARMISS_PTR "X"
#define SCNd8 "hhd"
#define SCNu8 "hhu"
#define SCNx8 "hhx"
#define SCNd16 "hd"
#define SCNu16 "hu"
#define SCNx16 "hx"
#define SCNd32 __NEARMISS_32 "d"
#define SCNi32 __NEARMISS_32 "i"
#define SCNu32 __NEARMISS_32 "u"
#define SCNx32 __NEARMISS_32 "x"
#define SCNd64 __NEARMISS_64 "d"
#define SCNi64 __NEARMISS_64 "i"
#define SCNu64 __NEARMISS_64 "u"
#define SCNx64 __NEARMISS_64 "x"
typedef struct { intmax_t quot; intmax_t rem; } imaxdiv_t;
intmax_t imaxabs(intmax_t);
imaxdiv_t imaxdiv(intmax_t, intmax_t);
intmax_t strtoimax(const char *, char **, int);
uintmax_t strtoumax(const char *, char **, int);
#endif
