// violated: pointer_dereference
int main(void) { int *p; { int x = 1; p = &x; } return *p; }
