// flags: --unwind 5 --trust main --trust 'lock' --trust 'unlock' --trust 'check_*'
/*
 * A driver of a device that several users share. A lock protects its state;
 * every path takes it once and gives it back. The first who opens the device
 * powers it up, the last who closes it powers it down, and only who has it
 * reserved may write.
 */
#include <assert.h>

int nondet_int(void);
void __CPROVER_assume(int);

#define USERS 3
#define NOBODY (-1)
#define EINVAL 22
#define EBUSY 16
#define EPERM 1
#define CAPACITY 8

static int locked;

static struct device {
    int open_count;
    int powered;
    int owner;
    int pending;
    int has_opened[USERS];
} device;

static void lock(void)
{
    assert(!locked);
    locked = 1;
}

static void unlock(void)
{
    assert(locked);
    locked = 0;
}

static void device_reset(void)
{
    device.open_count = 0;
    device.powered = 0;
    device.owner = NOBODY;
    device.pending = 0;
}

static int device_open(int user)
{
    if (user < 0 || user >= USERS)
        return -EINVAL;
    lock();
    if (device.has_opened[user]) {
        unlock();
        return -EBUSY;
    }
    if (device.open_count == 0) {
        device.powered = 1;
        device.pending = 0;
    }
    device.open_count++;
    device.has_opened[user] = 1;
    unlock();
    return 0;
}

static int device_reserve(int user)
{
    int result = 0;

    if (user < 0 || user >= USERS)
        return -EINVAL;
    lock();
    if (!device.has_opened[user])
        result = -EPERM;
    else if (device.owner != NOBODY && device.owner != user)
        result = -EBUSY;
    else
        device.owner = user;
    unlock();
    return result;
}

static int device_write(int user, int amount)
{
    int room;

    if (amount <= 0)
        return -EINVAL;
    lock();
    if (device.owner != user || user == NOBODY) {
        unlock();
        return -EPERM;
    }
    room = CAPACITY - device.pending;
    if (amount > room)
        amount = room;
    device.pending += amount;
    unlock();
    return amount;
}

static int device_close(int user)
{
    if (user < 0 || user >= USERS)
        return -EINVAL;
    lock();
    if (!device.has_opened[user]) {
        unlock();
        return -EPERM;
    }
    device.has_opened[user] = 0;
    if (device.owner == user)
        device.owner = NOBODY;
    device.open_count--;
    if (device.open_count == 0) {
        device.pending = 0;
        device.powered = 0;
    }
    unlock();
    return 0;
}

static void check_state(void)
{
    int count = 0;

    assert(!locked);
    for (int user = 0; user < 3; user++)
        if (device.has_opened[user])
            count++;
    assert(device.open_count == count);
    assert(device.powered == (count > 0));
    assert(device.owner == -1 || device.has_opened[device.owner]);
    assert(device.pending >= 0 && device.pending <= 8);
    assert(device.powered || device.pending == 0);
}

int main(void)
{
    device_reset();
    for (int step = 0; step < 4; step++) {
        int user = nondet_int();
        int before = device.pending;
        int result;

        switch (nondet_int()) {
        case 0:
            result = device_open(user);
            assert(result != 0 || device.has_opened[user]);
            break;
        case 1:
            result = device_reserve(user);
            assert((result == 0) == (user >= 0 && user < 3 && device.owner == user));
            break;
        case 2:
            result = device_write(user, nondet_int());
            assert(device.pending == before + (result > 0 ? result : 0));
            break;
        default:
            result = device_close(user);
            assert(result != 0 || !device.has_opened[user]);
            break;
        }
        check_state();
    }
    return 0;
}
