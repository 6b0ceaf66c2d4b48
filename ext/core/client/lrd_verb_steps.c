#define _GNU_SOURCE
#include "lrd_verb_steps.h"

#include "../base/lrd_clock.h"

enum { LONGEST_TTL = 60 * 60 * 24 * 30 };   /* the server takes more for a date */

lrd_request *lrd_verb_write(lrd_op *op, uint8_t step, char mode, uint64_t cas)
{
	lrd_request *request = lrd_verb_ask(op, step, LRD_MS, 0);
	request->mode = mode;
	request->value = op->value;
	request->flags = op->flags;
	if (op->ttl != 0) {
		request->with |= LRD_WITH_TTL;
		request->ttl = op->ttl;
	}
	if (cas != 0) {
		request->with |= LRD_WITH_CAS;
		request->cas = cas;
	}
	return request;
}

static void end_failed(lrd_op *op, lrd_status status, lrd_failure failure)
{
	op->open = false;
	op->status = status;
	op->failure = failure;
}

void lrd_verb_fail(lrd_op *op, bool may_be_done)
{
	lrd_status unsure = may_be_done ? LRD_UNKNOWN : LRD_DOWN;
	switch ((lrd_code) op->reply.code) {
	case LRD_CODE_NONE:
		end_failed(op, LRD_DOWN, op->failure != LRD_FAILURE_NONE ? op->failure : LRD_FAILURE_DOWN);
		break;
	case LRD_CODE_UNANSWERED:
		end_failed(op, unsure, op->failure != LRD_FAILURE_NONE ? op->failure : LRD_FAILURE_CLOSED);
		break;
	case LRD_CODE_TOO_LARGE:
		end_failed(op, LRD_TOO_LARGE, LRD_FAILURE_TOO_LARGE);
		break;
	case LRD_CODE_NO_MEMORY:
		end_failed(op, LRD_REFUSED, LRD_FAILURE_NO_MEMORY);
		break;
	case LRD_CODE_DENIED:
		end_failed(op, LRD_REFUSED, LRD_FAILURE_DENIED);
		break;
	case LRD_CODE_BUSY:
	case LRD_CODE_SERVER_ERROR:
		end_failed(op, LRD_REFUSED, LRD_FAILURE_SERVER_ERROR);
		break;
	case LRD_CODE_NOT_A_NUMBER:
	case LRD_CODE_CLIENT_ERROR:
		end_failed(op, LRD_REFUSED, LRD_FAILURE_CLIENT_ERROR);
		break;
	case LRD_CODE_UNKNOWN_COMMAND:
		end_failed(op, LRD_REFUSED, LRD_FAILURE_UNKNOWN_COMMAND);
		break;
	case LRD_CODE_OK:
	case LRD_CODE_MISS:
	case LRD_CODE_NOT_FOUND:
	case LRD_CODE_NOT_STORED:
	case LRD_CODE_EXISTS:
		end_failed(op, unsure, LRD_FAILURE_OUT_OF_STEP);
		break;
	}
}

bool lrd_verb_again(lrd_op *op)
{
	if (op->tries >= LRD_VERB_TRIES) {
		end_failed(op, LRD_REFUSED, LRD_FAILURE_CONTENDED);
		return false;
	}
	op->tries++;
	return true;
}

int64_t lrd_verb_same_ttl(int64_t seconds)
{
	if (seconds < 0) {
		return 0;
	}
	if (seconds == 0) {
		return 1;
	}
	return seconds <= LONGEST_TTL ? seconds : seconds + (int64_t) (lrd_clock_real_ms() / 1000);
}
