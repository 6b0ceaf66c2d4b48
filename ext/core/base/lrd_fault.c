#define _GNU_SOURCE
#include "lrd_fault.h"

#ifdef LRD_FAULTS

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	bool known;
	char name[64];
	unsigned left;
	int signal;
} armed;

void lrd_fault_arm(const char *name, unsigned passage, int signal)
{
	armed.known = true;
	armed.left = 0;
	if (name != NULL) {
		strncpy(armed.name, name, sizeof armed.name - 1);
		armed.left = passage;
		armed.signal = signal;
	}
}

static void arm_from_environment(void)
{
	char text[96] = "";
	const char *value = getenv("LARDER_FAULT");
	if (value != NULL) {
		strncpy(text, value, sizeof text - 1);
	}
	char *rest = text;
	const char *name = strsep(&rest, ":");
	const char *passage = strsep(&rest, ":");
	const char *signal = rest;
	lrd_fault_arm(
		name[0] != '\0' ? name : NULL,
		passage != NULL ? (unsigned) atoi(passage) : 1,
		signal != NULL ? atoi(signal) : SIGKILL
	);
}

void lrd_fault_pass(const char *name)
{
	if (!armed.known) {
		arm_from_environment();
	}
	if (armed.left > 0 && strcmp(armed.name, name) == 0 && --armed.left == 0) {
		kill(getpid(), armed.signal);
	}
}

#else
typedef int lrd_fault_is_compiled_out;
#endif
