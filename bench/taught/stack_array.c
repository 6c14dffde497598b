/* A stack of numbers: positive ones are pushed, 0 pops, the end prints the rest.
 * test push: 1 2 3
 * test pop: 1 2 0 3
 * test empty: 0 0
 * test all: 4 5 0 0
 */
#include <stdio.h>

#define SIZE 20

int stack[SIZE];
int top = 0;

void push(int value)
{
    if (top < SIZE)
        stack[top++] = value;
}

int pop(void)
{
    if (top == 0) {
        printf("stack is empty\n");
        return -1;
    }
    return stack[--top];
}

int main(void)
{
    int x;
    while (scanf("%d", &x) == 1) {
        if (x == 0)
            printf("popped %d\n", pop());
        else
            push(x);
    }
    while (top > 0)
        printf("%d\n", pop());
    return 0;
}
