PHP_ARG_ENABLE([larder],
  [whether to enable Larder],
  [AS_HELP_STRING([--disable-larder], [Disable Larder, a cache in shared memory and on memcached servers])],
  [yes])

PHP_ARG_ENABLE([larder-debug],
  [whether to build Larder for its own tests],
  [AS_HELP_STRING([--enable-larder-debug], [Larder: fault points, and warnings as errors])],
  [no],
  [no])

dnl LARDER_LOOK_FOR(NAME, header, library, function [, further libraries]): defines LARDER_WITH_NAME if it is there
AC_DEFUN([LARDER_LOOK_FOR], [
  AC_CHECK_HEADER([$2], [
    AC_CHECK_LIB([$3], [$4], [
      LARDER_CFLAGS="$LARDER_CFLAGS -DLARDER_WITH_$1"
      LARDER_SHARED_LIBADD="$LARDER_SHARED_LIBADD -l$3 $5"
    ],, [$5])
  ])
])

if test "$PHP_LARDER" != "no"; then
  dnl phpize defines _GNU_SOURCE for all files. Here each file that needs it defines it, because core/ is also built
  dnl without PHP.
  LARDER_CFLAGS="-std=c11 -U_GNU_SOURCE -fvisibility=hidden -Wall -Wextra -pthread -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_LARDER_DEBUG" != "no"; then
    LARDER_CFLAGS="$LARDER_CFLAGS -Werror -DLRD_FAULTS"
  fi

  dnl A glibc before 2.34 keeps mutexes and pthread_atfork() in a separate library.
  PHP_ADD_LIBRARY([pthread],, [LARDER_SHARED_LIBADD])
  PHP_SUBST([LARDER_SHARED_LIBADD])

  dnl What is missing is left out: tls:// servers and those compressors are then refused by name.
  LARDER_LOOK_FOR([OPENSSL], [openssl/ssl.h], [ssl], [SSL_new], [-lcrypto])
  LARDER_LOOK_FOR([ZLIB], [zlib.h], [z], [compress2])
  LARDER_LOOK_FOR([ZSTD], [zstd.h], [zstd], [ZSTD_compress])
  LARDER_LOOK_FOR([LZ4], [lz4.h], [lz4], [LZ4_compress_default])

  dnl Every .c file of these folders.
  larder_srcdir=PHP_EXT_SRCDIR([larder])
  larder_sources="larder.c"
  for larder_folder in core/base core/shm core/client value php; do
    for larder_file in "$larder_srcdir/$larder_folder"/*.c; do
      larder_sources="$larder_sources $larder_folder/`basename "$larder_file"`"
    done
  done

  PHP_NEW_EXTENSION([larder], [$larder_sources], [$ext_shared],, [$LARDER_CFLAGS])
  PHP_ADD_EXTENSION_DEP([larder], [spl])
  PHP_ADD_BUILD_DIR([$ext_builddir/core/base])
  PHP_ADD_BUILD_DIR([$ext_builddir/core/shm])
  PHP_ADD_BUILD_DIR([$ext_builddir/core/client])
  PHP_ADD_BUILD_DIR([$ext_builddir/value])
  PHP_ADD_BUILD_DIR([$ext_builddir/php])
fi
