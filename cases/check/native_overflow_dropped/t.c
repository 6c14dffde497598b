int input(void);

int main(void) {
    int x = input();
    x + 1;
    return 0;
}
