#include "clamp.h"
#include <string.h>

static int inner(int x)
{
	int s = 0;
	while (x-- > 0)
		s += clamp(x, 1, 5) * x;
	return s;
}
int unused_too(int x)
{
	return inner(x) + 7;
}
int other(int x)
{
	int r = inner(x);
	for (int i = 0; i < x; i++)
		r ^= inner(i) + clamp(r, i, x);
	return r;
}
int more(int n, char **v)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += (int)strlen(v[i]) + clamp(n, 2, i);
	return s;
}
