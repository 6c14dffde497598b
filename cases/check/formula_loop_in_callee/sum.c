static int total;

/* Its loop has fewer variables than main. */
static void add(void)
{
    int i;
    for (i = 0; i < 3; i++)
        total += i;
}

int main(void)
{
    int start = 0;
    int limit = 7;
    add();
    return start + limit;
}
