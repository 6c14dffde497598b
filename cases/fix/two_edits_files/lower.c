/* Ends a step too late. */
int lower(int t)
{
    if (t < 4)
        return 5;
    return t;
}
