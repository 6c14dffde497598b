int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size)
{
    return size ? data[0] : 0;
}
