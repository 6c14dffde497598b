// An exercise: names and counts are read, what is there of each is printed, and how many there are. Its tests are in inventory/.
#include <stdio.h>
#include <string.h>

struct item {
    char name[16];
    int count;
} stock[20];
int items = 0;

int find(char *name)
{
    for (int i = 0; i < items; i++)
        if (strcmp(stock[i].name, name) == 0)
            return i;
    return -1;
}

void add(char *name, int count)
{
    int at = find(name);
    if (at < 0) {
        at = items++;
        strcpy(stock[at].name, name);
    }
    stock[at].count = count;
}

int main(void)
{
    char name[16];
    int count, total = 0;
    while (items < 20 && scanf("%15s %d", name, &count) == 2)
        add(name, count);
    for (int i = 0; i < items; i++) {
        printf("%s: %d\n", stock[i].name, stock[i].count);
        total += stock[i].count;
    }
    printf("Total: %d\n", total);
    return 0;
}
