#define EXTRA 12
