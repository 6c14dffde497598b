// A small parser: states, characters, numbers.
static int parse(const char *s) {
    enum { START, NUMBER, ERROR } state = START;
    int total = 0, current = 0, sign = 1;
    for (; *s && state != ERROR; s++) {
        switch (state) {
        case START:
            if (*s == '-') sign = -sign;
            else if (*s >= '0' && *s <= '9') { current = *s - '0'; state = NUMBER; }
            else if (*s != ' ') state = ERROR;
            break;
        case NUMBER:
            if (*s >= '0' && *s <= '9') current = current * 10 + (*s - '0');
            else if (*s == ',') { total += sign * current; sign = 1; state = START; }
            else state = ERROR;
            break;
        default: break;
        }
    }
    return state == ERROR ? -1 : total + (state == NUMBER ? sign * current : 0);
}
int main(void) { return parse("12, -7,300") * 1000 + parse("4x") + parse(" --5"); }
