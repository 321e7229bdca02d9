/* xml: text from targets within XML and HTML */
#ifndef PL_XML_H
#define PL_XML_H

#include "str.h"

/*
 * Appends s so that it is text of XML 1.0 and of HTML, in content and in attributes of either
 * quote, and shows what it holds: markup is escaped, and controls, what is invisible, U+FFFE,
 * U+FFFF and bytes that are no UTF-8 are made visible as for a terminal (pl_utf8_terminal).
 */
void pl_xml_text(struct pl_buf *out, struct pl_str s);

#endif
