int input(void);

int main(void) {
    short sizes[2] = {1, 300};
    sizes[1] *= input() * 4294967296L;
    return 0;
}
