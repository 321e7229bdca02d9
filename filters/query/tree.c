#include "tree.h"
int tree_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
	       struct pl_err *err)
{
	(void)out;
	(void)o;
	(void)a;
	(void)err;
	return 0;
}
