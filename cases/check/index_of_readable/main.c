#include <stdlib.h>
int nondet_int();

int main(){
unsigned n=nondet_int(); __CPROVER_assume(n<8); char a[8]; __CPROVER_assert(__CPROVER_r_ok(&a[n],1),"w");
return 0;}
