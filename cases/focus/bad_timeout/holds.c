int nondet_int(void);
int main(void) { int x = nondet_int(); return x > 0 ? 1 : 0; }
