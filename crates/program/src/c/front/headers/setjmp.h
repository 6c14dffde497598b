/* setjmp.h: declared, so that programs can be read; calls are refused. */
#ifndef NEARMISS_SETJMP_H
#define NEARMISS_SETJMP_H
typedef struct { long __words[32]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf);
int sigsetjmp(sigjmp_buf, int);
void longjmp(jmp_buf, int) __attribute__((noreturn));
void siglongjmp(sigjmp_buf, int) __attribute__((noreturn));
#endif
