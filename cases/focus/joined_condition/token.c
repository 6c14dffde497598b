#include <assert.h>
#include <stddef.h>
char nondet_char(void);
#define LEN 3
enum kind { T_NUM, T_PLUS, T_END, T_ERR };
static char text[LEN + 1];
static size_t pos;
static int value;
static enum kind next_token(void)
{
    while (text[pos] == ' ')
        pos++;
    if (text[pos] == 0)
        return T_END;
    if (text[pos] == '+') {
        pos++;
        return T_PLUS;
    }
    if (text[pos] >= '0' && text[pos] <= '9') {
        value = 0;
        while (text[pos] >= '0' && text[pos] < '9') {
            value = value * 10 + (text[pos] - '0');
            pos++;
        }
        return T_NUM;
    }
    return T_ERR;
}
int main(void)
{
    for (int i = 0; i < LEN; i++) {
        text[i] = nondet_char();
        if (text[i] == 0)
            break;
    }
    for (int n = 0; n < LEN; n++) {
        size_t before = pos;
        enum kind k = next_token();
        if (k == T_END || k == T_ERR)
            break;
        assert(pos > before);
    }
    return 0;
}
