"""C programs of a chosen size, each with one fault, for instances that are larger than those of the examples."""

HEAD = "#include <assert.h>\nint nondet_int(void);\nunsigned char nondet_byte(void);\n\n"


def sort(count):
    """Bubble sort; the last comparison of all is left out."""
    return HEAD + f"""
int main(void)
{{
    int a[{count}];
    for (int i = 0; i < {count}; i++)
        a[i] = nondet_int();
    for (int pass = 1; pass < {count}; pass++)
        for (int i = 0; i < {count} - pass; i++)
            if (pass < {count} - 1 && a[i] > a[i + 1]) {{
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }}
    for (int i = 0; i + 1 < {count}; i++)
        assert(a[i] <= a[i + 1]);
}}
"""


def checksum(count):
    """Two sums over bytes; a message whose sums are both in a forbidden range fails."""
    return HEAD + f"""
int main(void)
{{
    unsigned a = 1, b = 0;
    for (int i = 0; i < {count}; i++) {{
        unsigned char byte = nondet_byte();
        a = a + byte;
        if (a >= 251)
            a = a - 251;
        b = b + a;
        if (b >= 251)
            b = b - 251;
    }}
    assert(b != 97 || a < 40 || a > 60);
}}
"""


def crc(count):
    """A cyclic redundancy check of sixteen bits over bytes."""
    return HEAD + f"""
int main(void)
{{
    unsigned short crc = 0xffff;
    for (int i = 0; i < {count}; i++) {{
        crc = crc ^ (unsigned short)(nondet_byte() << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x8000 ? (unsigned short)(crc << 1 ^ 0x1021) : (unsigned short)(crc << 1);
    }}
    assert((crc & 0xfff) != 0x0a5);
}}
"""


def machine(count):
    """A door with a lock and a counter of wrong codes; it can be opened while the alarm is on."""
    return HEAD + f"""
enum state {{ CLOSED, OPEN, LOCKED, ALARM }};

int main(void)
{{
    enum state state = LOCKED;
    int wrong = 0, alarm = 0, opened = 0;
    for (int i = 0; i < {count}; i++) {{
        int event = nondet_int();
        switch (state) {{
        case LOCKED:
            if (event == 1234)
                state = CLOSED;
            else if (event > 0)
                wrong++;
            if (wrong == 3) {{
                state = ALARM;
                alarm = 1;
            }}
            break;
        case CLOSED:
            if (event == 1) {{
                state = OPEN;
                opened++;
            }} else if (event == 2)
                state = LOCKED;
            break;
        case OPEN:
            if (event == 0)
                state = CLOSED;
            break;
        case ALARM:
            if (event == 4321) {{
                state = CLOSED;
                wrong = 0;
            }}
            break;
        }}
        assert(!alarm || state != OPEN);
    }}
}}
"""


def matrix(size):
    """A product of two matrices of small numbers; the last row is added up with a wrong sign."""
    return HEAD + f"""
int main(void)
{{
    int a[{size}][{size}], b[{size}][{size}], c[{size}][{size}];
    for (int i = 0; i < {size}; i++)
        for (int j = 0; j < {size}; j++) {{
            a[i][j] = nondet_byte() & 15;
            b[i][j] = nondet_byte() & 15;
        }}
    for (int i = 0; i < {size}; i++)
        for (int j = 0; j < {size}; j++) {{
            int sum = 0;
            for (int k = 0; k < {size}; k++)
                sum = i == {size - 1} && k == 0 ? sum - a[i][k] * b[k][j] : sum + a[i][k] * b[k][j];
            c[i][j] = sum;
        }}
    int trace = 0;
    for (int i = 0; i < {size}; i++)
        trace = trace + c[i][i];
    assert(trace > -100);
}}
"""


def accounts(count):
    """Transfers between four accounts; one that is too large is booked all the same if it is to oneself."""
    return HEAD + f"""
int main(void)
{{
    int balance[4] = {{100, 200, 300, 400}};
    for (int i = 0; i < {count}; i++) {{
        int from = nondet_int(), to = nondet_int(), amount = nondet_int();
        if (from < 0 || from > 3 || to < 0 || to > 3 || amount < 0 || amount > 1000)
            continue;
        if (balance[from] >= amount || from == to) {{
            balance[from] = balance[from] - amount;
            if (from != to)
                balance[to] = balance[to] + amount;
        }}
    }}
    int total = 0;
    for (int i = 0; i < 4; i++)
        total = total + balance[i];
    assert(total == 1000);
}}
"""


def queue(count):
    """A heap as a priority queue; sifting down forgets the right child."""
    return HEAD + f"""
int main(void)
{{
    int heap[{count}];
    for (int i = 0; i < {count}; i++) {{
        heap[i] = nondet_int();
        for (int at = i; at > 0 && heap[at] < heap[(at - 1) / 2]; at = (at - 1) / 2) {{
            int t = heap[at];
            heap[at] = heap[(at - 1) / 2];
            heap[(at - 1) / 2] = t;
        }}
    }}
    int first = heap[0];
    heap[0] = heap[{count - 1}];
    int at = 0;
    for (int round = 0; round < {max(count.bit_length() - 1, 1)}; round++) {{
        int child = 2 * at + 1;
        if (child < {count - 1} && heap[child] < heap[at]) {{
            int t = heap[at];
            heap[at] = heap[child];
            heap[child] = t;
            at = child;
        }}
    }}
    for (int i = 1; i < {count - 1}; i++)
        assert(heap[(i - 1) / 2] <= heap[i]);
    assert(first <= heap[0]);
}}
"""


def average(count):
    """A filter that follows a signal in steps of an eighth; a jump makes it overshoot its limit."""
    return HEAD + f"""
int main(void)
{{
    int level = 0, peak = 0;
    for (int i = 0; i < {count}; i++) {{
        int sample = nondet_int();
        if (sample < -2000 || sample > 2000)
            sample = 0;
        int step = (sample - level) / 8;
        if (step > 100)
            step = 100 + step / 4;
        level = level + step;
        if (level > peak)
            peak = level;
    }}
    assert(peak < {90 * count});
}}
"""
