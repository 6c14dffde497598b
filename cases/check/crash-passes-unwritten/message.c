/* Reads a message: 'M', 'S', how long the text is, the text. A fuzzer has found crash-message. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct message {
    unsigned length;
    char text[256];
};

static int read_message(const uint8_t *data, size_t size, struct message *message)
{
    if (size < 3 || data[0] != 'M' || data[1] != 'S')
        return -1;
    message->length = data[2];
    if (message->length > size)
        return -1;
    memcpy(message->text, data + 3, message->length);
    message->text[message->length] = 0;
    return 0;
}

#ifdef __cplusplus
extern "C"
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct message message;
    return read_message(data, size, &message) == 0 && message.length == 0;
}
