PHP_ARG_ENABLE([larder],
  [whether to enable Larder],
  [AS_HELP_STRING([--disable-larder], [Disable Larder, a cache in shared memory])],
  [yes])

PHP_ARG_ENABLE([larder-debug],
  [whether to build Larder for its own tests],
  [AS_HELP_STRING([--enable-larder-debug], [Larder: fault points, and warnings as errors])],
  [no],
  [no])

if test "$PHP_LARDER" != "no"; then
  dnl phpize defines _GNU_SOURCE for all; here each file that needs it says so itself, since core/ is also built without PHP.
  LARDER_CFLAGS="-std=c11 -U_GNU_SOURCE -fvisibility=hidden -Wall -Wextra -pthread -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_LARDER_DEBUG" != "no"; then
    LARDER_CFLAGS="$LARDER_CFLAGS -Werror -DLRD_FAULTS"
  fi

  dnl A glibc before 2.34 keeps mutexes and pthread_atfork() in a library of their own.
  PHP_ADD_LIBRARY([pthread],, [LARDER_SHARED_LIBADD])
  PHP_SUBST([LARDER_SHARED_LIBADD])

  PHP_NEW_EXTENSION([larder], m4_normalize([
    larder.c
    core/base/lrd_clock.c
    core/base/lrd_fault.c
    core/base/lrd_status.c
    core/shm/lrd_alloc.c
    core/shm/lrd_epoch.c
    core/shm/lrd_evict.c
    core/shm/lrd_layout.c
    core/shm/lrd_lease.c
    core/shm/lrd_lock.c
    core/shm/lrd_open.c
    core/shm/lrd_recover.c
    core/shm/lrd_report.c
    core/shm/lrd_segment.c
    core/shm/lrd_shard.c
    core/shm/lrd_store.c
    core/shm/lrd_table.c
    value/value_fetch.c
    value/value_graph.c
    value/value_objects.c
    value/value_path.c
    value/value_walk.c
    value/value_write.c
    php/php_answer.c
    php/php_exception.c
    php/php_fork.c
    php/php_outcome.c
    php/php_segment.c
    php/php_shared_memory.c
    php/php_shared_memory_lease.c
    php/php_shared_memory_report.c
    php/php_shared_memory_write.c
  ]), [$ext_shared],, [$LARDER_CFLAGS])
  PHP_ADD_EXTENSION_DEP([larder], [spl])
  PHP_ADD_BUILD_DIR([$ext_builddir/core/base])
  PHP_ADD_BUILD_DIR([$ext_builddir/core/shm])
  PHP_ADD_BUILD_DIR([$ext_builddir/value])
  PHP_ADD_BUILD_DIR([$ext_builddir/php])
fi
