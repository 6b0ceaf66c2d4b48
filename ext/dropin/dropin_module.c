#include "dropin_module.h"
#include "../value/value_compat.h"

#include "zend_modules.h"

void dropin_module_warn(const zend_module_entry *ours)
{
	const zend_module_entry *other = zend_hash_str_find_ptr(&module_registry, ours->name, strlen(ours->name));

	if (other != NULL && other->version != ours->version) {
		zend_error(E_CORE_WARNING,
			"Larder's module %s is not loaded, since another one of that name is (version %s): "
			"remove one of the two lines extension=%s",
			ours->name, other->version != NULL ? other->version : "unknown", ours->name);
	}
}
