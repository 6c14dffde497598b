// The names are CBMC's, and so is what is checked: arithmetic, not conversions.
float nondet_float(void);
double nondet_double(void);

int main(void) {
    float a = nondet_float(), b = nondet_float();
    double d = nondet_double();
    float narrow = (float)d;
    a += 2 * d;
    float ratio = a / b;
    return ratio > narrow;
}
