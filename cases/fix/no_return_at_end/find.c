/* The place of a number in a table, -1 if it is not there: who wrote this forgot the last line. */
static const unsigned char table[4] = {3, 1, 4, 1};

static int find(unsigned char wanted)
{
    for (int i = 0; i < 4; i++) {
        if (table[i] == wanted)
            return i;
    }
}

int main(void)
{
    unsigned char wanted = nondet_uchar();
    int place = find(wanted);

    __CPROVER_assert(place >= -1 && place < 4, "a place, or none");
    __CPROVER_assert(place < 0 || table[place] == wanted, "the right place");
    __CPROVER_assert(place >= 0 || (wanted != 3 && wanted != 1 && wanted != 4), "it is not there");
}
