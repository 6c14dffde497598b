// Narrow operands are promoted to int before they meet.
int main(void) {
    unsigned char a = 200, b = 100;
    signed char s = -1;
    unsigned short u = 65535;
    int sum = a + b;                    /* 300, not 44 */
    unsigned char wrapped = a + b;      /* 44 */
    int compare = s < u;                /* both int: 1 */
    int big = (u << 8) >> 8;
    return sum + wrapped * 1000 + compare * 1000000 + (big == 65535) * 10000000 + (~a == -201) * 20000000;
}
