/* protobuf: the wire format of protocol buffers, written: varints, and fields with a length
 * (https://protobuf.dev/programming-guides/encoding/). A field of value 0 is left out: it reads as
 * 0. */
#ifndef EXPORT_PROTOBUF_H
#define EXPORT_PROTOBUF_H

#include "str.h"

void protobuf_varint(struct pl_buf *b, uint64_t v);
void protobuf_u64(struct pl_buf *b, unsigned field, uint64_t v);
void protobuf_bytes(struct pl_buf *b, unsigned field, struct pl_str bytes);

#endif
