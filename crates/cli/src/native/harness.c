/* The C that is compiled beside the user's, as far as it is the same for every program: it reports which claim fails,
 * fills objects, looks at the order of inputs, and notices when memory runs out.
 *
 * What varies is written by harness.rs. Tables come before this text:
 *
 *     NEARMISS_REPORT       the file for the report
 *     NEARMISS_REPORTED     the exit code of a program that has written one and then ended itself
 *     NEARMISS_STARTED      what it says before anything else happens
 *     NEARMISS_MEMORY       what it says of a run for which there is not enough memory
 *     NEARMISS_RUN          the variable of the environment that holds the number of the run
 *     NEARMISS_RUNS         how many runs there are
 *     NEARMISS_SITES        how many sites there are at which objects begin to exist
 *     NEARMISS_SANITIZED    whether sanitizers look at crashes
 *     contents              what objects hold, up to a row of which the run is ~0u
 *     nearmiss__orders      for each run the numbers of the queues that it reads, in order
 *     nearmiss__reads       for each run how many these are
 *
 * Functions come behind it: the vocabulary of claims and assumptions, a function for each queue of inputs and for each
 * allocator, objects and functions that nobody defines, and the two that are declared below.
 *
 * All of them are weak, so that what the user defines wins. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

/* Whether a failing assertion in this line of a file (without its folders) ends the program. */
static int nearmiss__listens(const char *name, int line);
/* Gives objects from the outside what they hold in this run. */
static void nearmiss__set_externals(void);

/* Set while the call of the violated claim is under way: it is marked in the text. */
int nearmiss__here;
/* The number of the run. */
static unsigned run;

/* The last report is the one that counts. */
static void report(const char *what, const char *file, int line)
{
    int to = open(NEARMISS_REPORT, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dprintf(to, "%s %d %s\n", what, line, file);
    close(to);
}

static void report_and_end(const char *what, const char *file, int line)
{
    report(what, file, line);
    _exit(NEARMISS_REPORTED);
}

void nearmiss__failed(const char *file, int line)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    if (!nearmiss__here && !nearmiss__listens(name, line))
        return;
    report_and_end(nearmiss__here ? "here" : "claim", file, line);
}

void nearmiss__assumption(void)
{
    report_and_end("assumption", "", 0);
}

void *nearmiss__allocate(size_t size)
{
    return malloc(size);
}

/* What a header of the system's makes of `assert`, if it is not ours that is included. */
WEAK void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    nearmiss__failed(file, line);
    _exit(0);
}

/* Fills an object that starts undefined. What the run says nothing of is 0. */
void nearmiss__fill(unsigned site, void *object, size_t size)
{
    static unsigned seen[NEARMISS_SITES];
    memset(object, 0, size);
    for (size_t i = 0; contents[i].run != ~0u; i++)
        if (contents[i].run == run && contents[i].site == site && contents[i].occurrence == seen[site]
            && contents[i].offset < size)
            ((unsigned char *)object)[contents[i].offset] = contents[i].value;
    seen[site]++;
}

/* Looks at the order of inputs: another one, or one too many, ends the program. */
static void reads(unsigned queue)
{
    static unsigned next;
    if (next == nearmiss__reads[run])
        report_and_end("enough", "", 0);
    if (nearmiss__orders[run][next++] != queue)
        report_and_end("order", "", 0);
}

/* A run that ends after memory was refused is no witness for or against anything. */
__attribute__((destructor)) static void end(void)
{
    if (errno == ENOMEM)
        report_and_end(NEARMISS_MEMORY, "", 0);
}

/* Where the stack is, more or less. */
static char *stack;

/* Nor is a run that crashes after memory was refused, or because its stack is full. */
static void crash(int number, siginfo_t *info, void *context)
{
    struct rlimit limit;
    uintptr_t depth = (uintptr_t)stack - (uintptr_t)info->si_addr;
    int is_deep = !getrlimit(RLIMIT_STACK, &limit) && (uintptr_t)info->si_addr < (uintptr_t)stack
        && depth + (1 << 20) > limit.rlim_cur && depth / 4 < limit.rlim_cur;
    if (errno == ENOMEM || is_deep)
        report_and_end(NEARMISS_MEMORY, "", 0);
    signal(number, SIG_DFL);
}

/* Looks at crashes, on a stack that is not full. */
static void watch(void)
{
    static char room[1 << 16];
    stack_t other = { .ss_sp = room, .ss_size = sizeof room };
    struct sigaction action = { .sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    stack = (char *)&action;
    sigaltstack(&other, 0);
    sigaction(SIGSEGV, &action, 0);
    sigaction(SIGBUS, &action, 0);
}

/* Before anything else: that it has begun, which run it is, and what objects from the outside then hold. */
__attribute__((constructor)) static void start(void)
{
    report(NEARMISS_STARTED, "", 0);
    if (!NEARMISS_SANITIZED)
        watch();
    const char *number = getenv(NEARMISS_RUN);
    run = number ? (unsigned)atoi(number) % NEARMISS_RUNS : 0;
    nearmiss__set_externals();
}
