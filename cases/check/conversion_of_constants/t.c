enum { MANY = 1000 };

int input(void);

int twice(int x)
{
    return x * 2;
}

int main(void)
{
    int which = input();
    unsigned char fits = 255;
    if (which == 1) {
        unsigned char little = MANY;
    }
    if (which == 2) {
        int parts[2] = {1, 3000000000u};
    }
    if (which == 3) {
        char size = sizeof(int[300]);
    }
    if (which == 4)
        twice(5000000000L);
    return fits;
}
