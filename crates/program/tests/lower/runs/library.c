/* Our models of the C library do what the library does. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    char buf[16];
    strcpy(buf, "abc");
    strcat(buf, "def");
    assert(strlen(buf) == 6 && strcmp(buf, "abcdef") == 0 && strnlen(buf, 3) == 3);
    assert(strchr(buf, 'd') == buf + 3 && strstr(buf, "cd") == buf + 2 && strrchr(buf, 'z') == 0);
    assert(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strncmp("abx", "aby", 2) == 0);
    assert(strspn("aab", "a") == 2 && strcspn("aab", "b") == 2 && strpbrk(buf, "xd") == buf + 3);
    strncpy(buf, "xy", 4);
    assert(buf[1] == 'y' && buf[2] == 0 && buf[3] == 0 && buf[4] == 'e');
    strncat(buf, "zzz", 2);
    assert(strcmp(buf, "xyzz") == 0);
    char *copy = strdup(buf);
    assert(strcmp(copy, "xyzz") == 0 && copy != buf);
    free(copy);
    int *m = malloc(3 * sizeof *m);
    m[0] = 1;
    m[1] = 2;
    m[2] = 3;
    m = realloc(m, 5 * sizeof *m);
    assert(m[2] == 3);
    free(m);
    free(NULL);
    int *z = calloc(4, sizeof *z);
    assert(z[3] == 0);
    memset(z, 0xff, 4);
    assert(z[0] == -1 && z[1] == 0);
    free(z);
    int a[4] = {3, 1, 2, 7}, b[4];
    memcpy(b, a, sizeof a);
    assert(memcmp(a, b, sizeof a) == 0);
    memmove(b + 1, b, 8);
    assert(b[2] == 1 && memcmp(a, b, sizeof a) != 0);
    assert(memchr("hello", 'l', 5) != 0 && memchr("hello", 'z', 5) == 0);
    assert(isdigit('5') && !isdigit('a') && toupper('x') == 'X' && isspace('\n') && isxdigit('F'));
    assert(abs(-3) == 3 && labs(-4L) == 4);
    int unsorted[5] = {5, 3, 9, 1, 4}, key = 9;
    qsort(unsorted, 5, sizeof(int), compare);
    assert(unsorted[0] == 1 && unsorted[4] == 9 && unsorted[2] == 4);
    assert((int *)bsearch(&key, unsorted, 5, sizeof(int), compare) == &unsorted[4]);
    char words[] = "a,bc";
    assert(strcmp(strtok(words, ","), "a") == 0 && strcmp(strtok(NULL, ","), "bc") == 0 && !strtok(NULL, ","));
    fprintf(stderr, "%s\n", buf);
    return 0;
}
