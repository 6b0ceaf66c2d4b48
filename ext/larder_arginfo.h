/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 66a627c5f59f188a6f79c68663d875a3cfe3226f */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Larder_Answer___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, hit, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, value, IS_MIXED, 0, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, version, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, stale, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lease, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_get, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_read, 0, 1, Larder\\Answer, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_getMultiple, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, keys, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_has, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_set, 0, 2, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lease, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_add, 0, 2, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Store_replace arginfo_class_Larder_Store_add

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_cas, 0, 3, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, version, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_setMultiple, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, values, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_delete, 0, 1, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Store_deleteMultiple arginfo_class_Larder_Store_getMultiple

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_touch, 0, 1, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_TYPE_MASK_EX(arginfo_class_Larder_Store_increment, 0, 1, Larder\\Outcome, MAY_BE_LONG)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, initial, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Store_decrement arginfo_class_Larder_Store_increment

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_getOrLease, 0, 1, Larder\\Answer, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 0, "10.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_lease, 0, 1, IS_LONG, 1)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 0, "10.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_release, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, lease, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_clear, 0, 0, Larder\\Outcome, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Larder_SharedMemory___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, namespace, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_SharedMemory_get arginfo_class_Larder_Store_get

#define arginfo_class_Larder_SharedMemory_read arginfo_class_Larder_Store_read

#define arginfo_class_Larder_SharedMemory_getMultiple arginfo_class_Larder_Store_getMultiple

#define arginfo_class_Larder_SharedMemory_has arginfo_class_Larder_Store_has

#define arginfo_class_Larder_SharedMemory_set arginfo_class_Larder_Store_set

#define arginfo_class_Larder_SharedMemory_add arginfo_class_Larder_Store_add

#define arginfo_class_Larder_SharedMemory_replace arginfo_class_Larder_Store_add

#define arginfo_class_Larder_SharedMemory_cas arginfo_class_Larder_Store_cas

#define arginfo_class_Larder_SharedMemory_setMultiple arginfo_class_Larder_Store_setMultiple

#define arginfo_class_Larder_SharedMemory_delete arginfo_class_Larder_Store_delete

#define arginfo_class_Larder_SharedMemory_deleteMultiple arginfo_class_Larder_Store_getMultiple

#define arginfo_class_Larder_SharedMemory_touch arginfo_class_Larder_Store_touch

#define arginfo_class_Larder_SharedMemory_increment arginfo_class_Larder_Store_increment

#define arginfo_class_Larder_SharedMemory_decrement arginfo_class_Larder_Store_increment

#define arginfo_class_Larder_SharedMemory_getOrLease arginfo_class_Larder_Store_getOrLease

#define arginfo_class_Larder_SharedMemory_lease arginfo_class_Larder_Store_lease

#define arginfo_class_Larder_SharedMemory_release arginfo_class_Larder_Store_release

#define arginfo_class_Larder_SharedMemory_clear arginfo_class_Larder_Store_clear

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_SharedMemory_info, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_SharedMemory_entries, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cursor, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, limit, IS_LONG, 0, "1000")
ZEND_END_ARG_INFO()


ZEND_METHOD(Larder_Answer, __construct);
ZEND_METHOD(Larder_SharedMemory, __construct);
ZEND_METHOD(Larder_SharedMemory, get);
ZEND_METHOD(Larder_SharedMemory, read);
ZEND_METHOD(Larder_SharedMemory, getMultiple);
ZEND_METHOD(Larder_SharedMemory, has);
ZEND_METHOD(Larder_SharedMemory, set);
ZEND_METHOD(Larder_SharedMemory, add);
ZEND_METHOD(Larder_SharedMemory, replace);
ZEND_METHOD(Larder_SharedMemory, cas);
ZEND_METHOD(Larder_SharedMemory, setMultiple);
ZEND_METHOD(Larder_SharedMemory, delete);
ZEND_METHOD(Larder_SharedMemory, deleteMultiple);
ZEND_METHOD(Larder_SharedMemory, touch);
ZEND_METHOD(Larder_SharedMemory, increment);
ZEND_METHOD(Larder_SharedMemory, decrement);
ZEND_METHOD(Larder_SharedMemory, getOrLease);
ZEND_METHOD(Larder_SharedMemory, lease);
ZEND_METHOD(Larder_SharedMemory, release);
ZEND_METHOD(Larder_SharedMemory, clear);
ZEND_METHOD(Larder_SharedMemory, info);
ZEND_METHOD(Larder_SharedMemory, entries);


static const zend_function_entry class_Larder_Outcome_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Answer_methods[] = {
	ZEND_ME(Larder_Answer, __construct, arginfo_class_Larder_Answer___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Store_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, get, arginfo_class_Larder_Store_get, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, read, arginfo_class_Larder_Store_read, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, getMultiple, arginfo_class_Larder_Store_getMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, has, arginfo_class_Larder_Store_has, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, set, arginfo_class_Larder_Store_set, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, add, arginfo_class_Larder_Store_add, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, replace, arginfo_class_Larder_Store_replace, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, cas, arginfo_class_Larder_Store_cas, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, setMultiple, arginfo_class_Larder_Store_setMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, delete, arginfo_class_Larder_Store_delete, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, deleteMultiple, arginfo_class_Larder_Store_deleteMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, touch, arginfo_class_Larder_Store_touch, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, increment, arginfo_class_Larder_Store_increment, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, decrement, arginfo_class_Larder_Store_decrement, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, getOrLease, arginfo_class_Larder_Store_getOrLease, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, lease, arginfo_class_Larder_Store_lease, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, release, arginfo_class_Larder_Store_release, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, clear, arginfo_class_Larder_Store_clear, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_SharedMemory_methods[] = {
	ZEND_ME(Larder_SharedMemory, __construct, arginfo_class_Larder_SharedMemory___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, get, arginfo_class_Larder_SharedMemory_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, read, arginfo_class_Larder_SharedMemory_read, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, getMultiple, arginfo_class_Larder_SharedMemory_getMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, has, arginfo_class_Larder_SharedMemory_has, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, set, arginfo_class_Larder_SharedMemory_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, add, arginfo_class_Larder_SharedMemory_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, replace, arginfo_class_Larder_SharedMemory_replace, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, cas, arginfo_class_Larder_SharedMemory_cas, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, setMultiple, arginfo_class_Larder_SharedMemory_setMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, delete, arginfo_class_Larder_SharedMemory_delete, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, deleteMultiple, arginfo_class_Larder_SharedMemory_deleteMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, touch, arginfo_class_Larder_SharedMemory_touch, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, increment, arginfo_class_Larder_SharedMemory_increment, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, decrement, arginfo_class_Larder_SharedMemory_decrement, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, getOrLease, arginfo_class_Larder_SharedMemory_getOrLease, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, lease, arginfo_class_Larder_SharedMemory_lease, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, release, arginfo_class_Larder_SharedMemory_release, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, clear, arginfo_class_Larder_SharedMemory_clear, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, info, arginfo_class_Larder_SharedMemory_info, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, entries, arginfo_class_Larder_SharedMemory_entries, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Exception_LarderException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Exception_UnstorableValue_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Exception_SharedMemoryUnavailable_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_Larder_Outcome(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Larder\\Outcome", IS_UNDEF, class_Larder_Outcome_methods);

	zend_enum_add_case_cstr(class_entry, "Done", NULL);

	zend_enum_add_case_cstr(class_entry, "NotFound", NULL);

	zend_enum_add_case_cstr(class_entry, "Exists", NULL);

	zend_enum_add_case_cstr(class_entry, "Refused", NULL);

	zend_enum_add_case_cstr(class_entry, "Unknown", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Answer(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "Answer", class_Larder_Answer_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_hit_default_value;
	ZVAL_UNDEF(&property_hit_default_value);
	zend_string *property_hit_name = zend_string_init("hit", sizeof("hit") - 1, 1);
	zend_declare_typed_property(class_entry, property_hit_name, &property_hit_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_hit_name);

	zval property_value_default_value;
	ZVAL_UNDEF(&property_value_default_value);
	zend_string *property_value_name = zend_string_init("value", sizeof("value") - 1, 1);
	zend_declare_typed_property(class_entry, property_value_name, &property_value_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ANY));
	zend_string_release(property_value_name);

	zval property_version_default_value;
	ZVAL_UNDEF(&property_version_default_value);
	zend_string *property_version_name = zend_string_init("version", sizeof("version") - 1, 1);
	zend_declare_typed_property(class_entry, property_version_name, &property_version_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_version_name);

	zval property_stale_default_value;
	ZVAL_UNDEF(&property_stale_default_value);
	zend_string *property_stale_name = zend_string_init("stale", sizeof("stale") - 1, 1);
	zend_declare_typed_property(class_entry, property_stale_name, &property_stale_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_stale_name);

	zval property_lease_default_value;
	ZVAL_UNDEF(&property_lease_default_value);
	zend_string *property_lease_name = zend_string_init("lease", sizeof("lease") - 1, 1);
	zend_declare_typed_property(class_entry, property_lease_name, &property_lease_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_lease_name);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Store(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "Store", class_Larder_Store_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_Larder_SharedMemory(zend_class_entry *class_entry_Larder_Store)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "SharedMemory", class_Larder_SharedMemory_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Larder_Store);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Exception_LarderException(zend_class_entry *class_entry_Throwable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder\\Exception", "LarderException", class_Larder_Exception_LarderException_methods);
	class_entry = zend_register_internal_interface(&ce);
	zend_class_implements(class_entry, 1, class_entry_Throwable);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Exception_UnstorableValue(zend_class_entry *class_entry_InvalidArgumentException, zend_class_entry *class_entry_Larder_Exception_LarderException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder\\Exception", "UnstorableValue", class_Larder_Exception_UnstorableValue_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_InvalidArgumentException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;
	zend_class_implements(class_entry, 1, class_entry_Larder_Exception_LarderException);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Exception_SharedMemoryUnavailable(zend_class_entry *class_entry_RuntimeException, zend_class_entry *class_entry_Larder_Exception_LarderException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder\\Exception", "SharedMemoryUnavailable", class_Larder_Exception_SharedMemoryUnavailable_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;
	zend_class_implements(class_entry, 1, class_entry_Larder_Exception_LarderException);

	return class_entry;
}
