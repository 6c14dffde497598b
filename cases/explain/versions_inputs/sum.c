int nondet_int(void);
int sum3(void) { unsigned a = nondet_int(), b = nondet_int(); return a + b + b; }
