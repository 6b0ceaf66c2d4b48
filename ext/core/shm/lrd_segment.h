/*
 * The mapped memory and the first page of it, which says what it is. Nothing here knows what lies behind that page.
 *
 * An anonymous segment is made in the parent and inherited by fork. A named one is a file (0600, of the caller's uid,
 * unless the options name another owner or a group) that the first process makes, under an exclusive flock(2): laid out
 * on disk in full before it is mapped, since a sparse file is a SIGBUS later. Its address is part of it: who cannot map
 * it there maps it elsewhere and gets LRD_MOVED, which is a success: pointers stored inside are then to be read with
 * lrd_segment.shift added.
 *
 * Nothing that is read from the file is believed before it was checked: a truncated, foreign or damaged file is
 * refused. One that was cut is dead: it is marked as such for those that still have it mapped, and made anew as another
 * file, so that they never see the new one's memory. Theirs ends in zeros, not in SIGBUS: see lrd_guard.h.
 */
#ifndef LRD_SEGMENT_H
#define LRD_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/lrd_status.h"

#define LRD_SEGMENT_LAYOUT 5u           /* of everything in the segment; a change here makes old segments unreadable */
#define LRD_SEGMENT_PAGE 4096u          /* the header takes one; body starts behind it */
#define LRD_SEGMENT_STAMP 32u
/* between a non-PIE heap and the mmap area of x86-64 and 48-bit aarch64 */
#define LRD_SEGMENT_BASE UINT64_C(0x3c0000000000)
#define LRD_SEGMENT_WHY 256u

typedef struct lrd_segment_header {
	char magic[8];              /* "larder\n\0" */
	uint32_t layout;
	/* 0 until the maker's body is laid out, and again when it is dead; else a number of its own; atomic */
	uint32_t ready;
	uint64_t size;              /* of the whole mapping, bytes */
	uint64_t base;              /* the address at which stored pointers hold */
	uint8_t stamp[LRD_SEGMENT_STAMP];
	uint64_t made_ms;           /* real time */
	uint64_t instance;          /* random; tells one making from another */
	uint32_t maker;             /* process id, for people */
	uint32_t owner;             /* uid */
	uint32_t shape[4];          /* numbers of the body's own (shards, slots), given by the maker */
	uint64_t sum;               /* over the fields above but ready, so that damage is seen */
} lrd_segment_header;

/* A user or a group, if one is given. */
typedef struct lrd_segment_id {
	bool given;
	uint32_t id;
} lrd_segment_id;

typedef struct lrd_segment_options {
	const char *path;           /* NULL: anonymous */
	size_t size;                /* bytes, rounded up to pages; one that attaches takes the file's */
	uint64_t base;              /* where to map; 0: anywhere */
	uint8_t stamp[LRD_SEGMENT_STAMP];
	uint32_t shape[4];
	bool attach_only;           /* LRD_MISS instead of making a named one */
	lrd_segment_id owner;       /* of the file, not the caller: only he and root make it, whoever else may only joins */
	lrd_segment_id group;       /* whose members may join too; the file's mode is 0660 then */
	unsigned wait_ms;           /* for another maker; 0: 5000 */
} lrd_segment_options;

typedef struct lrd_segment {
	lrd_segment_header *header;
	char *body;                 /* page-aligned; zero in a fresh segment */
	size_t body_size;
	ptrdiff_t shift;            /* address here minus address stored; 0 unless LRD_MOVED */
	bool made;                  /* by this call: lay out the body, then lrd_segment_ready() */
	bool named;
	uint32_t alive;             /* what header->ready says as long as the segment may be believed */
	int lock;                   /* the flock(2) held from making to lrd_segment_ready(), or -1 */
} lrd_segment;

/*
 * LRD_OK, LRD_MOVED, or: LRD_BAD_SEGMENT LRD_BAD_STAMP LRD_BAD_OWNER LRD_MISS LRD_SYSTEM with a sentence in why that
 * names the file and the remedy. A file whose maker died before lrd_segment_ready(), or that is shorter
 * than it was made, is made anew by who may make it.
 */
lrd_status lrd_segment_open(const lrd_segment_options *options, lrd_segment *segment, char why[LRD_SEGMENT_WHY]);

/* The body is laid out: others may attach. False: the file was cut meanwhile. */
bool lrd_segment_ready(lrd_segment *segment);

/*
 * False: its file was cut or written over, or it was given up since it was. What was read before this was asked is not
 * to be believed, nor is anything read or written from now on.
 */
static inline bool lrd_segment_is_alive(const lrd_segment *segment)
{
	return __atomic_load_n(&segment->header->ready, __ATOMIC_ACQUIRE) == segment->alive;
}

/* Whether this header may be believed, given what the file's size is. For open(), tests and the fuzzer. */
lrd_status lrd_segment_check(const lrd_segment_header *header, uint64_t file_size,
	const uint8_t stamp[LRD_SEGMENT_STAMP], char why[LRD_SEGMENT_WHY]);

/* Unmaps. A named segment's file stays. */
void lrd_segment_close(lrd_segment *segment);

#endif
