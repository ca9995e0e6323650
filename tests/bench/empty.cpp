// The least a program can cost: the unit of the start-up goals. Linked statically.
int main() { return 0; }
