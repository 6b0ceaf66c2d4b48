PHP_ARG_ENABLE([larder],
  [whether to enable Larder],
  [AS_HELP_STRING([--enable-larder], [Enable Larder, a cache in shared memory])],
  [no])

PHP_ARG_ENABLE([larder-debug],
  [whether to build Larder for its own tests],
  [AS_HELP_STRING([--enable-larder-debug], [Larder: fault points, and warnings as errors])],
  [no],
  [no])

if test "$PHP_LARDER" != "no"; then
  LARDER_SOURCES=`cd $abs_srcdir && echo larder.c core/base/*.c core/shm/*.c value/*.c php/*.c`
  dnl phpize defines _GNU_SOURCE for all; here each file that needs it says so itself, since core/ is also built without PHP.
  LARDER_CFLAGS="-std=c11 -U_GNU_SOURCE -fvisibility=hidden -Wall -Wextra -pthread -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_LARDER_DEBUG" != "no"; then
    LARDER_CFLAGS="$LARDER_CFLAGS -Werror -DLRD_FAULTS"
  fi

  dnl A glibc before 2.34 keeps mutexes and pthread_atfork() in a library of their own.
  PHP_ADD_LIBRARY([pthread],, [LARDER_SHARED_LIBADD])
  PHP_SUBST([LARDER_SHARED_LIBADD])

  PHP_NEW_EXTENSION([larder], [$LARDER_SOURCES], [$ext_shared],, [$LARDER_CFLAGS])
  PHP_ADD_EXTENSION_DEP([larder], [spl])
  PHP_ADD_BUILD_DIR([$ext_builddir/core/base])
  PHP_ADD_BUILD_DIR([$ext_builddir/core/shm])
  PHP_ADD_BUILD_DIR([$ext_builddir/value])
  PHP_ADD_BUILD_DIR([$ext_builddir/php])
fi
