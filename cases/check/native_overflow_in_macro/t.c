#define ADD(a, b) a + b

int input(void);

int main(void) {
    int x = input();
    ADD(x, 1);
    return 0;
}
