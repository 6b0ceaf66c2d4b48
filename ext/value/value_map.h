/*
 * What was seen, by address: strings and arrays that may occur again. In request memory; one owner, never shared.
 *
 * Open addressing without removal. A pointer that add() or find() gives holds until the next add().
 */
#ifndef VALUE_MAP_H
#define VALUE_MAP_H

#include "php.h"

typedef struct value_seen {
	const void *what;           /* NULL: a free slot */
	void *place;                /* where its copy is; NULL: not yet made */
	uint32_t uses;
	bool open;                  /* an array whose elements are being walked: to meet it now is a cycle */
	bool mixed;                 /* an array with an object in it, at any depth */
} value_seen;

typedef struct value_map {
	value_seen *slots;          /* NULL until the first add() */
	size_t used;
	unsigned bits;              /* 1 << bits slots */
} value_map;

#define VALUE_MAP_BITS 6u

static zend_always_inline value_seen *value_map_slot(const value_map *map, const void *what)
{
	/* The low bits of an address are zero, the high ones alike: the product's high bits depend on all of them. */
	uint64_t hash = (uint64_t)(uintptr_t)what * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = ((size_t)1 << map->bits) - 1;
	size_t at = (size_t)(hash >> (64 - map->bits));

	while (map->slots[at].what && map->slots[at].what != what) {
		at = (at + 1) & mask;
	}
	return &map->slots[at];
}

static zend_always_inline value_seen *value_map_find(const value_map *map, const void *what)
{
	value_seen *seen;

	if (!map->slots) {
		return NULL;
	}
	seen = value_map_slot(map, what);
	return seen->what ? seen : NULL;
}

static zend_never_inline void value_map_grow(value_map *map)
{
	value_map grown = {0};

	grown.bits = map->slots ? map->bits + 1 : VALUE_MAP_BITS;
	grown.used = map->used;
	grown.slots = ecalloc((size_t)1 << grown.bits, sizeof(value_seen));
	if (map->slots) {
		for (size_t i = 0; i < (size_t)1 << map->bits; i++) {
			if (map->slots[i].what) {
				*value_map_slot(&grown, map->slots[i].what) = map->slots[i];
			}
		}
		efree(map->slots);
	}
	*map = grown;
}

/* The entry of `what`; a new one has uses 0. */
static zend_always_inline value_seen *value_map_add(value_map *map, const void *what)
{
	value_seen *seen;

	if (UNEXPECTED(!map->slots) || UNEXPECTED(map->used * 2 >= (size_t)1 << map->bits)) {
		value_map_grow(map);
	}
	seen = value_map_slot(map, what);
	if (!seen->what) {
		seen->what = what;
		map->used++;
	}
	return seen;
}

/* Forgets where the copies are. */
static inline void value_map_unplace(value_map *map)
{
	if (map->slots) {
		for (size_t i = 0; i < (size_t)1 << map->bits; i++) {
			map->slots[i].place = NULL;
		}
	}
}

static inline void value_map_free(value_map *map)
{
	if (map->slots) {
		efree(map->slots);
	}
	memset(map, 0, sizeof(*map));
}

#endif
