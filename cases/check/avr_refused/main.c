/* Bounds are computed by the front end, in 32 bits. */
enum { MANY = 200 * 200 };

char buffer[(200 * 200) / 200];

int main(void)
{
    buffer[0] = MANY / 256;
    return 0;
}
