#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : nearmiss__failed(__FILE__, __LINE__))
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
