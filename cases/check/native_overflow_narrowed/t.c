int input(void);

int tripled(long a) {
    return a * 3;
}

int main(void) {
    return tripled(input() * 4294967296L);
}
