/* assert.h: the condition keeps its own place in the text, and its text is the second argument. No include guard:
   C lets a program include this header again after changing NDEBUG. */
#undef assert
void __nearmiss_assert(_Bool, const char *);
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) __nearmiss_assert(condition, #condition)
#endif
#undef static_assert
#define static_assert _Static_assert
