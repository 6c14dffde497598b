/* Four ways on from every place are too many objects: levels are left out, and the answer says so. */
struct place { int visited; struct place *north, *east, *south, *west; void *data; };

int walk(struct place *here)
{
    if (!here || !here->north)
        return 0;
    here->visited = 1;
    here->north->visited = 2;
    __CPROVER_assert(here->visited == 1, "they are two places");
    return 1;
}
