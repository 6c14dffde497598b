/* fenv.h: the numbers of x86-64. */
#ifndef NEARMISS_FENV_H
#define NEARMISS_FENV_H
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
#define FE_INVALID 0x01
#define FE_DIVBYZERO 0x04
#define FE_OVERFLOW 0x08
#define FE_UNDERFLOW 0x10
#define FE_INEXACT 0x20
#define FE_ALL_EXCEPT 0x3d
int fegetround(void);
int fesetround(int);
int feclearexcept(int);
int fetestexcept(int);
int feraiseexcept(int);
typedef unsigned short fexcept_t;
typedef struct {
    unsigned int __words[8];
} fenv_t;
#define FE_DFL_ENV ((const fenv_t *)-1)
int fegetexceptflag(fexcept_t *, int);
int fesetexceptflag(const fexcept_t *, int);
int fegetenv(fenv_t *);
int fesetenv(const fenv_t *);
int feholdexcept(fenv_t *);
int feupdateenv(const fenv_t *);
#endif
