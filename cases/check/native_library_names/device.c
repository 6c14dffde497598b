/* A small driver whose names are those of the C library, with meanings of its own: nothing that stands behind the program
   may take them for the library's. */
#include <assert.h>

int nondet_int(void);

int open, index = 3;
char *environ;

int write(int amount) { return amount * 2; }
int abs(int number) { return number > 0 ? -number : number; }
int printf(const char *text, ...) { return text[0]; }
void *malloc(unsigned long size) { static char pool[64]; return size > 64 ? 0 : pool; }
int getenv(int number) { return number; }
int strrchr(int number) { return number; }
void _exit(int code) { open = code; }

void exit(int code)
{
    assert(code == 0);
    for (;;)
        ;
}

void abort(void) { exit(1); }

int main(void)
{
    char *memory = malloc(8);
    open = nondet_int();
    memory[0] = printf("a");
    _exit(getenv(open));
    if (write(open) == 2 * index && abs(open) == -3 && memory[0] == 'a' && !environ)
        abort();
    return strrchr(0);
}
