int main(void)
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        while (n < i)
            n++;
    do {
        n--;
    } while (n > 0);
    return n;
}
