// Checked by the compiler, gone at run time.
_Static_assert(sizeof(int) == 4, "int");
struct s { int a; _Static_assert(1, "inside"); int b; };
int main(void) { _Static_assert(sizeof(struct s) == 8, "s"); return (int)sizeof(struct s); }
