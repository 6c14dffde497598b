int limit(int value)
{
    return value;
}
