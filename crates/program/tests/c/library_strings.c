// strlen, strcpy, strncpy, strcat, strcmp, strncmp, strchr, strrchr, strstr.
#include <string.h>
int main(void) {
    char a[20] = "", b[8];
    strcpy(a, "near");
    strcat(a, "miss");
    strncpy(b, a, sizeof b - 1);
    b[7] = 0;
    int r = (int)strlen(a) + (int)strlen(b) * 10;
    r += (strcmp(a, b) > 0) * 100 + (strcmp("a", "b") < 0) * 200 + (strcmp(a, "nearmiss") == 0) * 400 + (strncmp(a, "nearly", 4) == 0) * 800;
    r += (int)(strchr(a, 'm') - a) * 10000 + (int)(strrchr(a, 's') - a) * 100000 + (strchr(a, 'z') == NULL) * 3;
    strncat(a, "xyz", 2);
    return r + a[9] * 1000000 + (int)(strstr(a, "miss") - a);
}
