/* math.h */
#ifndef NEARMISS_MATH_H
#define NEARMISS_MATH_H
typedef float float_t;
typedef double double_t;
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VALL ((long double)__builtin_huge_val())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#define __NEARMISS_MATH1(name) double name(double); float name##f(float); long double name##l(long double)
#define __NEARMISS_MATH2(name) \
    double name(double, double); float name##f(float, float); long double name##l(long double, long double)
__NEARMISS_MATH1(acos);
__NEARMISS_MATH1(asin);
__NEARMISS_MATH1(atan);
__NEARMISS_MATH2(atan2);
__NEARMISS_MATH1(cos);
__NEARMISS_MATH1(sin);
__NEARMISS_MATH1(tan);
__NEARMISS_MATH1(cosh);
__NEARMISS_MATH1(sinh);
__NEARMISS_MATH1(tanh);
__NEARMISS_MATH1(acosh);
__NEARMISS_MATH1(asinh);
__NEARMISS_MATH1(atanh);
__NEARMISS_MATH1(exp);
__NEARMISS_MATH1(exp2);
__NEARMISS_MATH1(expm1);
__NEARMISS_MATH1(log);
__NEARMISS_MATH1(log10);
__NEARMISS_MATH1(log2);
__NEARMISS_MATH1(log1p);
__NEARMISS_MATH1(logb);
__NEARMISS_MATH2(pow);
__NEARMISS_MATH1(sqrt);
__NEARMISS_MATH1(cbrt);
__NEARMISS_MATH2(hypot);
__NEARMISS_MATH1(erf);
__NEARMISS_MATH1(erfc);
__NEARMISS_MATH1(tgamma);
__NEARMISS_MATH1(lgamma);
__NEARMISS_MATH1(ceil);
__NEARMISS_MATH1(floor);
__NEARMISS_MATH1(trunc);
__NEARMISS_MATH1(round);
__NEARMISS_MATH1(roundeven);
__NEARMISS_MATH1(rint);
__NEARMISS_MATH1(nearbyint);
__NEARMISS_MATH1(fabs);
__NEARMISS_MATH2(fmod);
__NEARMISS_MATH2(remainder);
__NEARMISS_MATH2(copysign);
__NEARMISS_MATH2(nextafter);
__NEARMISS_MATH2(fdim);
__NEARMISS_MATH2(fmax);
__NEARMISS_MATH2(fmin);
__NEARMISS_MATH1(j0);
__NEARMISS_MATH1(j1);
__NEARMISS_MATH1(y0);
__NEARMISS_MATH1(y1);
__NEARMISS_MATH1(gamma);
__NEARMISS_MATH1(exp10);
__NEARMISS_MATH1(significand);
__NEARMISS_MATH1(nextup);
__NEARMISS_MATH1(nextdown);
__NEARMISS_MATH2(drem);
__NEARMISS_MATH2(scalb);
double fma(double, double, double);
float fmaf(float, float, float);
long double fmal(long double, long double, long double);
double frexp(double, int *);
float frexpf(float, int *);
long double frexpl(long double, int *);
double ldexp(double, int);
float ldexpf(float, int);
long double ldexpl(long double, int);
double modf(double, double *);
float modff(float, float *);
long double modfl(long double, long double *);
double scalbn(double, int);
float scalbnf(float, int);
long double scalbnl(long double, int);
double scalbln(double, long);
float scalblnf(float, long);
long double scalblnl(long double, long);
int ilogb(double);
int ilogbf(float);
int ilogbl(long double);
long lround(double);
long lroundf(float);
long lroundl(long double);
long long llround(double);
long long llroundf(float);
long long llroundl(long double);
long lrint(double);
long lrintf(float);
long lrintl(long double);
long long llrint(double);
long long llrintf(float);
long long llrintl(long double);
double remquo(double, double, int *);
float remquof(float, float, int *);
long double remquol(long double, long double, int *);
double nexttoward(double, long double);
float nexttowardf(float, long double);
long double nexttowardl(long double, long double);
double nan(const char *);
float nanf(const char *);
long double nanl(const char *);
int finite(double);
int finitef(float);
int finitel(long double);
double jn(int, double);
float jnf(int, float);
long double jnl(int, long double);
double yn(int, double);
float ynf(int, float);
long double ynl(int, long double);
double lgamma_r(double, int *);
float lgammaf_r(float, int *);
long double lgammal_r(long double, int *);
void sincos(double, double *, double *);
void sincosf(float, float *, float *);
void sincosl(long double, long double *, long double *);
#undef __NEARMISS_MATH1
#undef __NEARMISS_MATH2
#endif
