/* protobuf: varints and fields */
#include "protobuf.h"

enum { VARINT = 0, LENGTH = 2 };

void protobuf_varint(struct pl_buf *b, uint64_t v)
{
	while (v >= 0x80) {
		pl_buf_addc(b, (char)(v | 0x80));
		v >>= 7;
	}
	pl_buf_addc(b, (char)v);
}

void protobuf_u64(struct pl_buf *b, unsigned field, uint64_t v)
{
	if (v == 0)
		return;
	protobuf_varint(b, field << 3 | VARINT);
	protobuf_varint(b, v);
}

void protobuf_bytes(struct pl_buf *b, unsigned field, struct pl_str bytes)
{
	protobuf_varint(b, field << 3 | LENGTH);
	protobuf_varint(b, bytes.n);
	pl_buf_adds(b, bytes);
}
