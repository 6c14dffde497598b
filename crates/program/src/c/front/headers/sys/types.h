/* sys/types.h. The names ending in _defined tell glibc's other headers that a type is there. */
#ifndef NEARMISS_SYS_TYPES_H
#define NEARMISS_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
#define __time_t_defined 1
#define __clock_t_defined 1
#define __off_t_defined 1
#define __pid_t_defined 1
#define __ssize_t_defined 1
#define __mode_t_defined 1
#define __uid_t_defined 1
#define __gid_t_defined 1
#define __id_t_defined 1
#define __dev_t_defined 1
#define __ino_t_defined 1
#define __nlink_t_defined 1
#define __blksize_t_defined 1
#define __blkcnt_t_defined 1
#define __suseconds_t_defined 1
#define __useconds_t_defined 1
#define __clockid_t_defined 1
#define __key_t_defined 1
#define __caddr_t_defined 1
#define __u_char_defined 1
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef long long off64_t;
typedef long long loff_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long time_t;
typedef long clock_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef int clockid_t;
typedef unsigned int __socklen_t;
typedef int key_t;
typedef char *caddr_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#endif
