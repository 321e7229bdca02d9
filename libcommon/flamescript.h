/* flamescript: what makes the picture of flamesvg answer to clicks, keys and searches */
#ifndef PL_FLAMESCRIPT_H
#define PL_FLAMESCRIPT_H

/* ECMAScript for a document of which the picture is the root. It has no "]]>", and asks for nothing
 * from outside. */
extern const char pl_flamescript[];

#endif
