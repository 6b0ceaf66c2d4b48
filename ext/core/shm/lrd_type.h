/* The types of values that the store itself knows; all others are its caller's. */
#ifndef LRD_TYPE_H
#define LRD_TYPE_H

#define LRD_TYPE_INT 1u                 /* a word that is an int64_t: increments change it in place */
#define LRD_TYPE_TEXT 9u                /* bytes that readers copy, and then ask whether they were still the same */

#endif
