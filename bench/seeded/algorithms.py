"""Wrong algorithms: lines of a program, and what is written instead. No single edit undoes them."""

ALGORITHMS = {
    "advisory": [
        ("""    while (level < LEVELS - 1 && altitude > ceiling[level])
        level++;
""", """    for (int i = 0; i < LEVELS; i++)
        if (altitude > ceiling[i])
            level = i;
"""),
        ("""    if (answer == QUIET || answer == SINK_RATE) {
        enum advisory low = low_and_slow(own);

        if (low != QUIET)
            answer = low;
    }
""", """    if (low_and_slow(own) > answer)
        answer = low_and_slow(own);
"""),
    ],
    "bucket": [
        ("    return (missing + PER_TICK - 1) / PER_TICK;\n", "    return missing / PER_TICK + 1;\n"),
        ("""    bucket->tokens += elapsed * PER_TICK;
    if (bucket->tokens > CAPACITY)
        bucket->tokens = CAPACITY;
""", """    if (bucket->tokens < CAPACITY)
        bucket->tokens += elapsed * PER_TICK;
"""),
    ],
    "connection": [
        ("    c->delay = c->delay * 2;\n", "    c->delay = FIRST_DELAY + 2 * c->retries;\n"),
        ("""    if (c->state == OPENING && event == TIMEOUT)
        retry(c);
    else if (to != c->state)
        enter(c, to);
""", """    if (to != c->state)
        enter(c, to);
    else if (event == TIMEOUT)
        retry(c);
"""),
    ],
    "crc": [
        ("        crc = crc_update(crc, bytes[i]);\n", "        crc = (uint16_t)(crc >> 4 ^ table[(crc ^ bytes[i]) & 15]);\n"),
        ("""    unsigned top = crc >> 12 ^ byte >> 4;

    crc = (uint16_t)(crc << 4 ^ table[top & 15]);
    top = crc >> 12 ^ (byte & 15);
    crc = (uint16_t)(crc << 4 ^ table[top & 15]);
""", """    crc = (uint16_t)(crc << 4 ^ table[byte >> 4]);
    crc = (uint16_t)(crc << 4 ^ table[byte & 15]);
"""),
    ],
    "date": [
        ("    unsigned days = before_month[month] - before_month[month - 1];\n", "    unsigned days = month == FEBRUARY ? 28 : 30 + month % 2;\n"),
        ("    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;\n", "    return year % 4 == 0 || year == BASE + 4;\n"),
    ],
    "driver": [
        ("""    if (device.owner == user)
        device.owner = NOBODY;
    device.open_count--;
    if (device.open_count == 0) {
        device.pending = 0;
        device.powered = 0;
    }
""", """    if (device.owner == user) {
        device.owner = NOBODY;
        device.powered = 0;
    }
    device.open_count--;
    if (device.open_count == 0)
        device.pending = 0;
"""),
        ("""    if (amount > room)
        amount = room;
    device.pending += amount;
""", """    device.pending += amount;
    if (device.pending > CAPACITY)
        device.pending = CAPACITY;
"""),
    ],
    "filter": [
        ("    return (a * b + ONE / 2) >> 8;\n", "    return a * b / ONE;\n"),
        ("    c->smooth = c->smooth + ((value - c->smooth) >> 2);\n", "    c->smooth = (3 * c->smooth + value + 2) / 4;\n"),
    ],
    "heap": [
        ("""        if (child + 1 < queue->count && more_urgent(queue, child + 1, child))
            child++;
        if (!more_urgent(queue, child, i))
            break;
""", """        if (!more_urgent(queue, child, i))
            child++;
        if (child >= queue->count || !more_urgent(queue, child, i))
            break;
"""),
        ("""    while (i > 0 && more_urgent(queue, i, (i - 1) / 2)) {
        swap(&queue->task[i], &queue->task[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
""", """    if (more_urgent(queue, i, 0))
        swap(&queue->task[i], &queue->task[0]);
"""),
    ],
    "parser": [
        ("""    while (is_digit(*text)) {
        setting.value = setting.value * 10 + (*text - '0');
        if (setting.value > LARGEST)
            setting.status = TOO_LARGE;
        text++;
    }
""", """    for (int i = 0; i < 2 && is_digit(*text); i++) {
        setting.value = setting.value * 10 + (*text - '0');
        text++;
    }
    if (is_digit(*text))
        setting.status = TOO_LARGE;
"""),
    ],
    "pool": [
        ("    return (bytes + BLOCK_SIZE - 1) / BLOCK_SIZE;\n", "    return bytes / BLOCK_SIZE + 1;\n"),
        ("        if ((pool.taken & mask(first, count)) == 0) {\n", "        if ((pool.taken >> first & 1) == 0) {\n"),
    ],
    "ring": [
        ("""    unsigned place = ring->tail;

    for (unsigned i = 0; i < ring->count; i++) {
        if (ring->data[place] == byte)
            return (int)i;
        place = place + 1 < SIZE ? place + 1 : 0;
    }
""", """    for (unsigned i = 0; i < SIZE; i++)
        if (ring->data[i] == byte)
            return (int)i;
"""),
        ("""    ring->tail++;
    if (ring->tail == SIZE)
        ring->tail = 0;
""", """    ring->tail = ring->head - ring->count;
"""),
    ],
    "sorted": [
        ("""        struct node *next = rest->next;

        rest->next = done;
        done = rest;
        rest = next;
""", """        rest->next = done;
        done = rest;
        rest = rest->next;
"""),
        ("""    node->next = *link;
    *link = node;
""", """    node->next = list->first;
    list->first = node;
"""),
    ],
    "utf8": [
        ("""    if ((byte & 0xe0) == 0xc0)
        return 2;
    if ((byte & 0xf0) == 0xe0)
        return 3;
    if ((byte & 0xf8) == 0xf0)
        return 4;
    return 0;
""", """    if (byte < 0xe0)
        return 2;
    if (byte < 0xf0)
        return 3;
    return 4;
"""),
        ("        code = code << 6 | (text[i] & 0x3fu);\n", "        code = code * 64 + (text[i] % 128u);\n"),
    ],
    "tcas": [
        ("        possible = !own_above_threat() || (own_above_threat() && up_separation >= alim());\n", "        possible = up_separation >= alim() && down_separation >= up_separation;\n"),
        ("    return biased_climb() > down_separation;\n", "    return own_altitude > other_altitude ? up_separation > alim() : down_separation < alim();\n"),
    ],
    "bubble_sort": [
        ("""                int spare = number[i];

                number[i] = number[i + 1];
                number[i + 1] = spare;
""", """                number[i] = number[i] + number[i + 1];
                number[i + 1] = number[i] - number[i + 1];
                number[i] = number[i] - number[i + 1];
"""),
    ],
    "gcd": [
        ("""    while (b != 0) {
        unsigned rest = a % b;

        a = b;
        b = rest;
    }
    return a;
""", """    while (a % b != 0)
        b--;
    return b;
"""),
    ],
    "popcount": [("    return (bits & 0x001fu) + (bits >> 8);\n", "    return bits * 0x0101u >> 8;\n")],
    "saturate": [
        ("""    if (b > 0 && a > INT_MAX - b)
        return INT_MAX;
    if (b < 0 && a < INT_MIN - b)
        return INT_MIN;
    return a + b;
""", """    int sum = a + b;

    if (a > 0 && b > 0 && sum < 0)
        return INT_MAX;
    if (a < 0 && b < 0 && sum >= 0)
        return INT_MIN;
    return sum;
"""),
    ],
}
