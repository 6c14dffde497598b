/* wctype.h */
#ifndef NEARMISS_WCTYPE_H
#define NEARMISS_WCTYPE_H
#ifndef NEARMISS_WINT_T
#define NEARMISS_WINT_T
typedef unsigned int wint_t;
#endif
#ifndef WEOF
#define WEOF (0xffffffffu)
#endif
typedef unsigned long wctype_t;
typedef const int *wctrans_t;
int iswalnum(wint_t);
int iswalpha(wint_t);
int iswblank(wint_t);
int iswcntrl(wint_t);
int iswdigit(wint_t);
int iswgraph(wint_t);
int iswlower(wint_t);
int iswprint(wint_t);
int iswpunct(wint_t);
int iswspace(wint_t);
int iswupper(wint_t);
int iswxdigit(wint_t);
wint_t towlower(wint_t);
wint_t towupper(wint_t);
wctype_t wctype(const char *);
int iswctype(wint_t, wctype_t);
wctrans_t wctrans(const char *);
wint_t towctrans(wint_t, wctrans_t);
#endif
