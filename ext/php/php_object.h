/* Objects of our classes: a struct of C that ends with `zend_object std`. */
#ifndef PHP_OBJECT_H
#define PHP_OBJECT_H

#include "php.h"

#define PHP_OBJECT_FROM(type, object) ((type *) ((char *) (object) - XtOffsetOf(type, std)))

/* A new object of `size` bytes, all zero up to `std`, which lies at `offset`. */
static inline zend_object *php_object_make(
	zend_class_entry *ce, size_t size, size_t offset, const zend_object_handlers *handlers)
{
	char *part = zend_object_alloc(size, ce);
	zend_object *object = (zend_object *) (part + offset);

	memset(part, 0, offset);
	zend_object_std_init(object, ce);
	object_properties_init(object, ce);
	object->handlers = handlers;
	return object;
}

/*
 * MINIT: how objects of the class are made and freed. A clone would share what `free_object` frees, so there are no
 * clones.
 */
static inline void php_object_init(zend_class_entry *ce, zend_object_handlers *handlers, size_t offset,
	zend_object *(*create_object)(zend_class_entry *ce), void (*free_object)(zend_object *object))
{
	memcpy(handlers, zend_get_std_object_handlers(), sizeof(*handlers));
	handlers->offset = (int) offset;
	handlers->free_obj = free_object;
	handlers->clone_obj = NULL;
	ce->create_object = create_object;
}

#endif
