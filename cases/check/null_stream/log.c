/* A file that cannot be opened is NULL; to flush NULL means all streams. */
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *log = fopen("log", "a");
    fflush(NULL);
    switch (argc) {
    case 1:
        fputc('x', log);
        break;
    case 2:
        return fgetc(log);
    case 3:
        fprintf(log, "%d\n", argc);
        break;
    case 4: {
        char line[4];
        return fgets(line, 4, log) != NULL;
    }
    }
    if (log != NULL)
        fclose(log);
    return 0;
}
