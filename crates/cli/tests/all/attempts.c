/* Ways out of a sandbox. The variable ATTEMPT names one; OUT is a folder of somebody else's, with a file `secret` in it.
 * Exit code 42: it got out. 43: it was refused. 44: there is no such attempt. Or a signal ends it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <unistd.h>

extern char **environ;

/* A path in the folder of somebody else's. */
static const char *out(const char *name)
{
    static char path[2][4096];
    static int next;
    next = !next;
    snprintf(path[next], sizeof path[next], "%s/%s", getenv("OUT"), name);
    return path[next];
}

static int opens(const char *path, int how)
{
    return open(path, how, 0600) >= 0;
}

static const char *parents(const char *what)
{
    static char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), what);
    return path;
}

static int shell(void)
{
    char line[4200];
    snprintf(line, sizeof line, ": > %s", out("by_shell"));
    return system(line) == 0;
}

static int pipe_to_shell(void)
{
    FILE *from = popen("echo out", "r");
    char word[8] = "";
    return from && fgets(word, sizeof word, from) && word[0] == 'o';
}

static int child(pid_t pid)
{
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static int another_program(void)
{
    char *words[] = { "sh", "-c", "exit 42", 0 };
    execve("/bin/sh", words, environ);
    return 0;
}

static int spawned(void)
{
    char *words[] = { "true", 0 };
    pid_t pid;
    int status;
    return posix_spawnp(&pid, "true", 0, 0, words, environ) == 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void *nothing(void *x)
{
    return x;
}

static int thread(void)
{
    pthread_t other;
    return pthread_create(&other, 0, nothing, 0) == 0;
}

static int listens(void)
{
    struct sockaddr_in here = { .sin_family = AF_INET };
    int s = socket(AF_INET, SOCK_STREAM, 0);
    return s >= 0 && bind(s, (struct sockaddr *)&here, sizeof here) == 0;
}

static int peers(void)
{
    int two[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, two) == 0;
}

static int through_a_link(void)
{
    return symlink(getenv("OUT"), "link") == 0 && opens("link/through", O_CREAT | O_WRONLY);
}

static int made_in_memory(void)
{
    int file = memfd_create("program", 0);
    char *words[] = { "sh", "-c", "exit 42", 0 };
    char buffer[4096];
    int from = open("/bin/sh", O_RDONLY);
    ssize_t n;
    while (from >= 0 && (n = read(from, buffer, sizeof buffer)) > 0)
        if (write(file, buffer, n) != n)
            return 0;
    fexecve(file, words, environ);
    return 0;
}

static int written_and_started(void)
{
    char *words[] = { "sh", "-c", "exit 42", 0 };
    char buffer[4096];
    int from = open("/bin/sh", O_RDONLY);
    int to = open("copy", O_CREAT | O_WRONLY, 0700);
    ssize_t n;
    while (from >= 0 && (n = read(from, buffer, sizeof buffer)) > 0)
        if (write(to, buffer, n) != n)
            return 0;
    close(to);
    execve("./copy", words, environ);
    return 0;
}

static int older_door(void)
{
#ifdef __x86_64__
    /* `mkdir` as programs of 32 bits call it, with a path that 32 bits can name. */
    char *low = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    int result;
    if (low == MAP_FAILED)
        return 0;
    strcpy(low, out("by_older_door"));
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(39), "b"(low), "c"(0700) : "memory");
    return result == 0;
#else
    return shell();
#endif
}

static int other_numbers(void)
{
#ifdef __x86_64__
    return syscall(SYS_socket | 0x40000000, AF_UNIX, SOCK_STREAM, 0) >= 0 || listens();
#else
    return listens();
#endif
}

static int reads_memory_of_parent(void)
{
    char byte;
    struct iovec mine = { &byte, 1 }, theirs = { (void *)out, 1 };
    return process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0) >= 0 || errno == EFAULT;
}

static int descriptor_of_somebody(void)
{
    return write(9, "out", 3) == 3;
}

static int raises_its_limits(void)
{
    struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
    getrlimit(RLIMIT_STACK, &limit);
    return setrlimit(RLIMIT_STACK, &limit) == 0;
}

static int fills_the_disk(void)
{
    static char block[1 << 20];
    FILE *to = fopen("large", "w");
    for (int i = 0; to && i < 80; i++)
        if (fwrite(block, sizeof block, 1, to) != 1)
            return 0;
    return to && fflush(to) == 0;
}

static int takes_all_memory(void)
{
    return mmap(0, 8L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

static int opens_many(void)
{
    int n = 0;
    while (n < 100 && open("/dev/null", O_RDONLY) >= 0)
        n++;
    return n == 100;
}

static int lists(void)
{
    DIR *folder = opendir(getenv("OUT"));
    return folder && readdir(folder);
}

static int makes_older(void)
{
    struct timeval times[2] = { 0 };
    return utimes(out("secret"), times) == 0;
}

static int connects(void)
{
    struct sockaddr_un there = { .sun_family = AF_UNIX };
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    return s >= 0 && (connect(s, (struct sockaddr *)&there, sizeof there.sun_family) == 0 || errno == EINVAL || errno == ECONNREFUSED);
}

static int types_for_the_user(void)
{
    return ioctl(0, TIOCSTI, "x") == 0 || errno == ENOTTY || errno == EIO || errno == EPERM;
}

#define ATTEMPTS \
    X(makes_a_file, opens(out("made"), O_CREAT | O_WRONLY)) \
    X(appends, opens(out("secret"), O_APPEND | O_WRONLY)) \
    X(reads, opens(out("secret"), O_RDONLY)) \
    X(reads_by_another_call, syscall(SYS_openat2, AT_FDCWD, out("secret"), &(long[3]){ O_RDONLY }, 24) >= 0) \
    X(reads_accounts, opens("/etc/passwd", O_RDONLY)) \
    X(lists_a_folder, lists()) \
    X(removes, unlink(out("secret")) == 0) \
    X(moves_in, rename(out("secret"), "mine") == 0) \
    X(moves_out, opens("mine", O_CREAT | O_WRONLY) && rename("mine", out("given")) == 0) \
    X(makes_a_folder, mkdir(out("folder"), 0700) == 0) \
    X(removes_a_folder, rmdir(out("empty")) == 0) \
    X(links_hard, link(out("secret"), "hard") == 0) \
    X(links_softly, symlink("x", out("soft")) == 0) \
    X(writes_through_a_link, through_a_link()) \
    X(changes_rights, chmod(out("secret"), 0777) == 0) \
    X(changes_the_owner, chown(out("secret"), getuid(), getgid()) == 0) \
    X(makes_older, makes_older()) \
    X(cuts, truncate(out("secret"), 0) == 0) \
    X(makes_a_pipe, mkfifo(out("pipe"), 0600) == 0) \
    X(writes_to_shared_memory, shm_open("/nearmiss_attempt", O_CREAT | O_RDWR, 0600) >= 0 && shm_unlink("/nearmiss_attempt") == 0) \
    X(shares_memory, shmctl(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600), IPC_RMID, 0) == 0) \
    X(asks_a_shell, shell()) \
    X(asks_a_shell_by_pipe, pipe_to_shell()) \
    X(forks, child(fork())) \
    X(clones, child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0))) \
    X(starts_a_thread, thread()) \
    X(becomes_another_program, another_program()) \
    X(spawns, spawned()) \
    X(starts_what_it_has_in_memory, made_in_memory()) \
    X(starts_what_it_has_written, written_and_started()) \
    X(listens, listens()) \
    X(connects, connects()) \
    X(makes_a_pair_of_sockets, peers()) \
    X(signals_its_parent, kill(getppid(), 0) == 0) \
    X(leaves_its_group, setpgid(0, getppid()) == 0 || errno == EPERM || setsid() > 0) \
    X(reads_memory_of_its_parent, reads_memory_of_parent()) \
    X(reads_what_its_parent_was_told, opens(parents("environ"), O_RDONLY)) \
    X(opens_memory_of_its_parent, opens(parents("mem"), O_RDONLY)) \
    X(takes_an_older_door, older_door()) \
    X(counts_calls_otherwise, other_numbers()) \
    X(makes_a_namespace, unshare(CLONE_FS) == 0) \
    X(asks_for_a_ring, syscall(SYS_io_uring_setup, 4, calloc(1, 256)) >= 0 || errno == EINVAL || errno == ENOSYS || errno == EPERM) \
    X(watches_files, inotify_init() >= 0) \
    X(types_for_the_user, types_for_the_user()) \
    X(uses_what_it_inherits, descriptor_of_somebody()) \
    X(changes_limits_of_its_parent, prlimit(getppid(), RLIMIT_CORE, &(struct rlimit){ 0, 0 }, 0) == 0) \
    X(sets_its_limits, raises_its_limits()) \
    X(fills_the_disk, fills_the_disk()) \
    X(takes_all_memory, takes_all_memory()) \
    X(opens_many_files, opens_many())

int main(void)
{
    const char *wanted = getenv("ATTEMPT");
#define X(name, attempt) \
    if (wanted && !strcmp(wanted, #name)) \
        return (attempt) ? 42 : 43;
    ATTEMPTS
#undef X
    if (!wanted) {
#define X(name, attempt) puts(#name);
        ATTEMPTS
    }
    return 44;
}
