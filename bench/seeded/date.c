// flags: --unwind 14 --trust main --trust 'ref_*'
/*
 * Dates: whether there is such a day, which day of the year it is, the day of
 * the week, and the next day. The reference counts months and leap years one
 * by one from 2096, a leap year whose first of January is a Sunday.
 */
#include <assert.h>

unsigned char nondet_uchar(void);

#define MONTHS 12
#define FEBRUARY 2
#define BASE 2096

struct date {
    unsigned year;
    unsigned month;
    unsigned day;
};

static const unsigned before_month[MONTHS + 1] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

static int is_leap(unsigned year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static unsigned days_in_month(unsigned year, unsigned month)
{
    unsigned days = before_month[month] - before_month[month - 1];

    if (month == FEBRUARY && is_leap(year))
        days++;
    return days;
}

static int is_date(struct date date)
{
    if (date.month < 1 || date.month > MONTHS)
        return 0;
    return date.day >= 1 && date.day <= days_in_month(date.year, date.month);
}

static unsigned day_of_year(struct date date)
{
    unsigned day = before_month[date.month - 1] + date.day;

    if (date.month > FEBRUARY && is_leap(date.year))
        day++;
    return day;
}

/* 0 is Sunday. */
static unsigned weekday(struct date date)
{
    unsigned years = date.year - BASE;
    unsigned leap_days = (years + 3) / 4;
    unsigned days = years + leap_days; /* 365 is 52 weeks and a day */

    if (date.year > 2100)
        days--;
    return (days + day_of_year(date) - 1) % 7;
}

static struct date next_day(struct date date)
{
    date.day++;
    if (date.day > days_in_month(date.year, date.month)) {
        date.day = 1;
        date.month++;
        if (date.month > MONTHS) {
            date.month = 1;
            date.year++;
        }
    }
    return date;
}

static unsigned ref_length(unsigned year, unsigned month)
{
    if (month == 4 || month == 6 || month == 9 || month == 11)
        return 30;
    if (month != 2)
        return 31;
    if (year == 2100)
        return 28;
    return (year & 3) == 0 ? 29 : 28;
}

static unsigned ref_day_of_year(unsigned year, unsigned month, unsigned day)
{
    for (unsigned m = 1; m < 12; m++)
        if (m < month)
            day += ref_length(year, m);
    return day;
}

int main(void)
{
    struct date today, tomorrow;
    struct date first = {2096, 1, 1};

    today.year = 2098 + nondet_uchar() % 4;
    today.month = nondet_uchar() % 64;
    today.day = nondet_uchar() % 64;

    if (today.month < 1 || today.month > 12 || today.day < 1 || today.day > ref_length(today.year, today.month)) {
        assert(!is_date(today));
        return 0;
    }
    assert(is_date(today));
    assert(day_of_year(today) == ref_day_of_year(today.year, today.month, today.day));
    tomorrow = next_day(today);
    assert(is_date(tomorrow));
    if (tomorrow.day != 1)
        assert(tomorrow.day == today.day + 1 && tomorrow.month == today.month && tomorrow.year == today.year);
    else if (tomorrow.month != 1)
        assert(tomorrow.month == today.month + 1 && tomorrow.year == today.year);
    else
        assert(today.month == 12 && today.day == 31 && tomorrow.year == today.year + 1);
    assert(weekday(first) == 0);
    assert(weekday(tomorrow) == (weekday(today) == 6 ? 0 : weekday(today) + 1));
    return 0;
}
