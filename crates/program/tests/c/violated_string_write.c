// violated: pointer_dereference
int main(void) { char *s = "ab"; s[0] = 'x'; return 0; }
