#include "lrd_lane.h"

void lrd_lane_begin_round(lrd_lane *lane)
{
	lane->held = lane->waiting;
	lane->waiting = lane->waiting_last = NULL;
	lane->conn.counts.batches++;
	lrd_lane_rewind(lane);
}

void lrd_lane_rewind(lrd_lane *lane)
{
	lane->awaited = lane->unwritten = lane->piece = lane->held;
	lane->fence = LRD_FENCE_NONE;
	lane->requests = 0;
	lane->lines = 0;
	lane->awaits_end = false;
	lane->piece_was_sent = false;
	lane->write_is_over = false;
	lane->window = 0;
	lane->in_value = false;
}

void lrd_lane_clear(lrd_lane *lane)
{
	lane->is_active = lane->is_begun = lane->is_heard = false;
	lane->held = lane->awaited = lane->unwritten = lane->piece = NULL;
	lane->waiting = lane->waiting_last = NULL;
	lane->asking = NULL;
	lane->in_value = false;
}
