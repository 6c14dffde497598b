/* What is different where int has 16 bits: the types that words of C become (`small`), and macros of the compiler. */
typedef short __nearmiss_int ALIGNED;
typedef unsigned short __nearmiss_unsigned ALIGNED;
typedef long __nearmiss_long ALIGNED;
typedef unsigned long __nearmiss_unsigned_long ALIGNED;
typedef long long __nearmiss_long_long ALIGNED;
typedef unsigned long long __nearmiss_unsigned_long_long ALIGNED;
typedef float __nearmiss_float ALIGNED;
#undef __INT_MAX__
#define __INT_MAX__ 0x7fff
#undef __INT_WIDTH__
#define __INT_WIDTH__ 16
#undef __SIZEOF_INT__
#define __SIZEOF_INT__ 2
#undef __INT16_TYPE__
#define __INT16_TYPE__ int
#undef __INT_LEAST16_TYPE__
#define __INT_LEAST16_TYPE__ int
#undef __INT_FAST16_TYPE__
#define __INT_FAST16_TYPE__ int
#undef __INT_FAST16_MAX__
#define __INT_FAST16_MAX__ 0x7fff
#undef __INT_FAST16_WIDTH__
#define __INT_FAST16_WIDTH__ 16
#undef __UINT16_TYPE__
#define __UINT16_TYPE__ unsigned int
#undef __UINT16_MAX__
#define __UINT16_MAX__ 0xffffU
#undef __UINT16_C
#define __UINT16_C(c) c##U
#undef __UINT_LEAST16_TYPE__
#define __UINT_LEAST16_TYPE__ unsigned int
#undef __UINT_LEAST16_MAX__
#define __UINT_LEAST16_MAX__ 0xffffU
#undef __UINT_FAST16_TYPE__
#define __UINT_FAST16_TYPE__ unsigned int
#undef __UINT_FAST16_MAX__
#define __UINT_FAST16_MAX__ 0xffffU
#undef __INT32_TYPE__
#define __INT32_TYPE__ long int
#undef __INT32_MAX__
#define __INT32_MAX__ 0x7fffffffL
#undef __INT32_C
#define __INT32_C(c) c##L
#undef __INT_LEAST32_TYPE__
#define __INT_LEAST32_TYPE__ long int
#undef __INT_LEAST32_MAX__
#define __INT_LEAST32_MAX__ 0x7fffffffL
#undef __INT_FAST32_TYPE__
#define __INT_FAST32_TYPE__ long int
#undef __INT_FAST32_MAX__
#define __INT_FAST32_MAX__ 0x7fffffffL
#undef __INT_FAST32_WIDTH__
#define __INT_FAST32_WIDTH__ 32
#undef __UINT32_TYPE__
#define __UINT32_TYPE__ long unsigned int
#undef __UINT32_MAX__
#define __UINT32_MAX__ 0xffffffffUL
#undef __UINT32_C
#define __UINT32_C(c) c##UL
#undef __UINT_LEAST32_TYPE__
#define __UINT_LEAST32_TYPE__ long unsigned int
#undef __UINT_LEAST32_MAX__
#define __UINT_LEAST32_MAX__ 0xffffffffUL
#undef __UINT_FAST32_TYPE__
#define __UINT_FAST32_TYPE__ long unsigned int
#undef __UINT_FAST32_MAX__
#define __UINT_FAST32_MAX__ 0xffffffffUL
#undef __SIZE_TYPE__
#undef __SIZE_MAX__
#undef __PTRDIFF_TYPE__
#undef __PTRDIFF_MAX__
#undef __INTPTR_TYPE__
#undef __INTPTR_MAX__
#undef __UINTPTR_TYPE__
#undef __UINTPTR_MAX__
#if __SIZEOF_POINTER__ == 2
#define __SIZE_TYPE__ unsigned int
#define __SIZE_MAX__ 0xffffU
#define __PTRDIFF_TYPE__ int
#define __PTRDIFF_MAX__ 0x7fff
#define __INTPTR_TYPE__ int
#define __INTPTR_MAX__ 0x7fff
#define __UINTPTR_TYPE__ unsigned int
#define __UINTPTR_MAX__ 0xffffU
#else
#define __SIZE_TYPE__ long unsigned int
#define __SIZE_MAX__ 0xffffffffUL
#define __PTRDIFF_TYPE__ long int
#define __PTRDIFF_MAX__ 0x7fffffffL
#define __INTPTR_TYPE__ long int
#define __INTPTR_MAX__ 0x7fffffffL
#define __UINTPTR_TYPE__ long unsigned int
#define __UINTPTR_MAX__ 0xffffffffUL
#endif
#undef __SIG_ATOMIC_TYPE__
#define __SIG_ATOMIC_TYPE__ char
#undef __SIG_ATOMIC_MAX__
#define __SIG_ATOMIC_MAX__ 127
#undef __WINT_TYPE__
#define __WINT_TYPE__ int
#undef __riscv
#undef __riscv_xlen
#ifdef __MSP430__
#undef __WCHAR_TYPE__
#define __WCHAR_TYPE__ long int
#undef __WCHAR_MAX__
#define __WCHAR_MAX__ 0x7fffffffL
#undef __SIZEOF_WCHAR_T__
#define __SIZEOF_WCHAR_T__ 4
#endif
