/* What the drop-in modules say at start-up. */
#ifndef DROPIN_MODULE_H
#define DROPIN_MODULE_H

#include "php.h"

/*
 * For get_module(): says which of two modules of this name is loaded, if another one is there already. PHP itself would
 * say only that a module of this name is loaded.
 */
void dropin_module_warn(const zend_module_entry *ours);

#endif
