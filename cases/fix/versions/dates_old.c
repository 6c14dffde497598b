/* The version of dates.c that has been in use for years. Compare them:
 *
 *     nearmiss explain examples/dates.c --function day_of_year --reference examples/dates_old.c
 */
static const int days_in[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Which day of its year a date is, 1 for 1 January; 0 if there is no such date. */
int day_of_year(int year, int month, int day)
{
    if (year < 1 || month < 1 || month > 12 || day < 1)
        return 0;
    int length = days_in[month - 1];
    if (month == 2 && is_leap(year))
        length++;
    if (day > length)
        return 0;
    int result = day;
    for (int m = 1; m < month; m++)
        result += days_in[m - 1];
    if (month > 2 && is_leap(year))
        result++;
    return result;
}
