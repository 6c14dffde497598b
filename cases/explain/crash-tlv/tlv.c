/* Records of a type, a length and a value; a fuzzer has found one whose value goes past the end. */
#include <stddef.h>
#include <stdint.h>

enum { NAME = 1, PORT = 2, FLAGS = 3 };

struct settings {
    char name[16];
    unsigned port;
    unsigned flags;
};

static int parse(const uint8_t *data, size_t size, struct settings *settings)
{
    size_t at = 0;
    while (at + 2 <= size) {
        unsigned type = data[at];
        unsigned length = data[at + 1];
        const uint8_t *value = data + at + 2;
        switch (type) {
        case NAME:
            if (length >= sizeof settings->name)
                return -1;
            for (unsigned i = 0; i < length; i++)
                settings->name[i] = (char)value[i];
            settings->name[length] = 0;
            break;
        case PORT:
            if (length != 2)
                return -1;
            settings->port = (unsigned)value[0] << 8 | value[1];
            break;
        case FLAGS:
            if (length != 1)
                return -1;
            settings->flags = value[0];
            break;
        default:
            return -1;
        }
        at += 2 + length;
    }
    return at == size ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct settings settings = {"", 0, 0};
    if (parse(data, size, &settings) == 0 && settings.port == 0)
        return 0;
    return 0;
}
