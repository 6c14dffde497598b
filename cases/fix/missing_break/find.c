#define MOST 4

/* The first place of a value; the loop goes on when it is found. */
static int find(const int *values, int sought)
{
    int found = -1;

    for (int i = 0; i < MOST; i++) {
        if (values[i] == sought)
            found = i;
    }
    return found;
}

int main(void)
{
    int values[MOST], sought, found;

    found = find(values, sought);
    for (int i = 0; i < MOST; i++)
        __CPROVER_assert(values[i] != sought || (found >= 0 && found <= i), "the first");
}
