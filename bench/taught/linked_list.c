/* A linked list; numbers are added at the front.
 * test three: 1 2 3 -1
 * test one: 5 -1
 * test none: -1
 * test more: 9 8 7 6 5 -1
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL, *p;
    int x;

    while (scanf("%d", &x) == 1 && x >= 0) {
        p = malloc(sizeof(struct node));
        p->value = x;
        p->next = head;
        head = p;
    }
    for (p = head; p != NULL; p = p->next)
        printf("%d -> ", p->value);
    printf("NULL\n");
    while (head != NULL) {
        p = head->next;
        free(head);
        head = p;
    }
    return 0;
}
