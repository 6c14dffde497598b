/* The length says nothing about what the pointer points to. */
struct buffer { const int *data; unsigned length; };

int last(const struct buffer *buffer)
{
    if (!buffer || !buffer->data || buffer->length == 0)
        return -1;
    return buffer->data[buffer->length - 1];
}
