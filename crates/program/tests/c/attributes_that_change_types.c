/* Attributes and pragmas that change the layout of types, in all the places where they may stand. */
struct __attribute__((packed)) before { char a; int b; };
struct member { char a; int b __attribute__((packed)); };
struct inner { char a; struct { char c; int d; } __attribute__((packed)) in; };
struct raised { char a; int b __attribute__((aligned(16))); };
struct eight { char a, b; } __attribute__((aligned(8)));
struct holds_eight { char x; struct eight s; };
typedef int quarter __attribute__((mode(QI)));
typedef unsigned twice __attribute__((mode(DI)));
typedef int far_apart __attribute__((aligned(32)));
struct has_far_apart { char c; far_apart a; };
typedef int four __attribute__((vector_size(16)));
union either { int i; float f; } __attribute__((transparent_union));
enum __attribute__((packed)) small { A, B };
#pragma pack(push, 1)
struct tight { char a; long b; };
#pragma pack(pop)
struct loose { char a; long b; };
struct bits { int a : 3; int b : 30; } __attribute__((packed));
struct both { char a; long long b; } __attribute__((packed, aligned(4)));
struct fields { int a : 3; int : 0; int b : 4; };
static int of(union either e) { return e.i; }
int chosen(void) __attribute__((weak));
int chosen(void) { return 9; }

int main(void)
{
    long v = sizeof(struct before);
    v = v * 3 + sizeof(struct member);
    v = v * 3 + sizeof(struct inner);
    v = v * 3 + sizeof(struct raised);
    v = v * 3 + sizeof(struct holds_eight);
    v = v * 3 + sizeof(quarter) + sizeof(twice);
    v = v * 3 + sizeof(struct has_far_apart) + sizeof(four);
    v = v * 3 + of(7) + sizeof(enum small);
    v = v * 3 + sizeof(struct tight) * 5 + sizeof(struct loose);
    v = v * 3 + sizeof(struct bits) * 5 + sizeof(struct both) + sizeof(struct fields);
    return (int)(v + chosen()) % 100;
}
