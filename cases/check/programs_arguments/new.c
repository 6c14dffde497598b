#include <stdio.h>
int main(int argc, char **argv)
{
    puts(argc > 1 ? argv[1] : "done");
    return 0;
}
