int nondet_int(void);
int sum3(void) { unsigned s = 0; for (int i = 0; i < 3; i++) s += nondet_int(); return s; }
