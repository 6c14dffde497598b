_Static_assert(~0u == 0xFFFF, "an int of 16 bits");
int main(void) { return 0; }
