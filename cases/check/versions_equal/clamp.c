int clamp(int value, int low, int high)
{
    int result = value > high ? high : value;
    return value < low ? low : result;
}
