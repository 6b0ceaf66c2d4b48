#include "lrd_status.h"

const char *lrd_status_text(lrd_status status)
{
	switch (status) {
		case LRD_OK: return "done";
		case LRD_MISS: return "not found";
		case LRD_EXISTS: return "exists or was changed";
		case LRD_LOST: return "the lease is lost";
		case LRD_BUSY: return "leased to another process";
		case LRD_TOO_LARGE: return "too large";
		case LRD_FULL: return "no room";
		case LRD_TIMEOUT: return "a lock was not given in time";
		case LRD_NO_SLOT: return "no free process slot";
		case LRD_NOT_A_NUMBER: return "not an integer, or out of range";
		case LRD_OWNER_DIED: return "the owner of a lock died";
		case LRD_MOVED: return "mapped at another address";
		case LRD_BAD_SEGMENT: return "damaged or not a segment";
		case LRD_BAD_STAMP: return "made by another build";
		case LRD_BAD_OWNER: return "owned by or open to another user";
		case LRD_BAD_OPTION: return "no such option";
		case LRD_DOWN: return "the server cannot be reached";
		case LRD_REFUSED: return "the server refused";
		case LRD_UNKNOWN: return "no answer came";
		case LRD_SYSTEM: return "a system call failed";
	}
	return "unknown";
}
