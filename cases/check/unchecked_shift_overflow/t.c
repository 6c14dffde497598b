int input(void);

int main(void) {
    int x = input();
    unsigned y = x << 3;
    return y == 1;
}
