// Primes and common divisors.
#include <stdbool.h>
static int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
int main(void) {
    bool composite[100] = { false };
    int n = 0, last = 0;
    for (int i = 2; i < 100; i++) { if (composite[i]) continue; n++; last = i; for (int j = i * i; j < 100; j += i) composite[j] = true; }
    return n + last * 100 + gcd(1071, 462) * 100000;
}
