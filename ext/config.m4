PHP_ARG_ENABLE([larder],
  [whether to enable Larder],
  [AS_HELP_STRING([--disable-larder], [Disable Larder, a cache in shared memory and on memcached servers])],
  [yes])

PHP_ARG_WITH([larder-module],
  [which of Larder's modules to build],
  [AS_HELP_STRING([--with-larder-module=NAME], [Larder: larder, or memcached or memcache, classes over its client])],
  [of-the-package],
  [no])

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
      LARDER_LIBS="$LARDER_LIBS $3 $6"
    ],, [$5])
  ])
])

dnl A package has one module: the one that its composer.json names. PIE passes no option by itself.
if test "$PHP_LARDER_MODULE" = "of-the-package"; then
  larder_package=PHP_EXT_SRCDIR([larder])/composer.json
  PHP_LARDER_MODULE=`sed -n 's/.*"extension-name": *"\(.*\)".*/\1/p' "$larder_package" 2>/dev/null`
  PHP_LARDER_MODULE=${PHP_LARDER_MODULE:-larder}
fi

dnl LARDER_DROP_IN(name, NAME): the module that stands in for another of this name
AC_DEFUN([LARDER_DROP_IN], [
  for larder_library in $LARDER_LIBS; do
    PHP_ADD_LIBRARY([$larder_library],, [$2_SHARED_LIBADD])
  done
  PHP_SUBST([$2_SHARED_LIBADD])
  PHP_NEW_EXTENSION([$1], [$larder_sources], [$ext_shared],, [$LARDER_CFLAGS])
  PHP_ADD_EXTENSION_DEP([$1], [session])
  PHP_ADD_EXTENSION_DEP([$1], [spl])
  PHP_ADD_BUILD_DIR([$ext_builddir/$1])
  PHP_ADD_BUILD_DIR([$ext_builddir/dropin])
])

dnl Each file of the engine has one rule of make, so one configure makes one module.
case $PHP_LARDER_MODULE in
  larder | memcached | memcache) ;;
  *) AC_MSG_ERROR([--with-larder-module is larder, memcached or memcache, not $PHP_LARDER_MODULE]) ;;
esac

if test "$PHP_LARDER" != "no"; then
  dnl phpize defines _GNU_SOURCE for all files. Here each file that needs it defines it, because core/ is also built
  dnl without PHP.
  dnl A header of PHP 8.5 has a parameter that it does not use; core/ is held to that warning where it is built alone.
  LARDER_CFLAGS="-std=c11 -U_GNU_SOURCE -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -pthread"
  LARDER_CFLAGS="$LARDER_CFLAGS -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_LARDER_DEBUG" != "no"; then
    LARDER_CFLAGS="$LARDER_CFLAGS -Werror -DLRD_FAULTS"
  fi

  dnl A glibc before 2.34 keeps mutexes and pthread_atfork() in a separate library.
  LARDER_LIBS="pthread"

  dnl What is missing is left out: tls:// servers and those compressors are then refused by name.
  LARDER_LOOK_FOR([OPENSSL], [openssl/ssl.h], [ssl], [SSL_new], [-lcrypto], [crypto])
  LARDER_LOOK_FOR([ZLIB], [zlib.h], [z], [compress2])
  LARDER_LOOK_FOR([ZSTD], [zstd.h], [zstd], [ZSTD_compress])
  LARDER_LOOK_FOR([LZ4], [lz4.h], [lz4], [LZ4_compress_default])

  dnl Every .c file of these folders.
  larder_srcdir=PHP_EXT_SRCDIR([larder])
  if test "$PHP_LARDER_MODULE" = "larder"; then
    larder_sources="larder.c"
    larder_folders="core/base core/shm core/client value php"
  else
    larder_sources=""
    larder_folders="core/base core/client value dropin $PHP_LARDER_MODULE"
  fi
  for larder_folder in $larder_folders; do
    for larder_file in "$larder_srcdir/$larder_folder"/*.c; do
      larder_sources="$larder_sources $larder_folder/`basename "$larder_file"`"
    done
  done

  if test "$PHP_LARDER_MODULE" = "larder"; then
    for larder_library in $LARDER_LIBS; do
      PHP_ADD_LIBRARY([$larder_library],, [LARDER_SHARED_LIBADD])
    done
    PHP_SUBST([LARDER_SHARED_LIBADD])
    PHP_NEW_EXTENSION([larder], [$larder_sources], [$ext_shared],, [$LARDER_CFLAGS])
    PHP_ADD_EXTENSION_DEP([larder], [spl])
    PHP_ADD_BUILD_DIR([$ext_builddir/core/shm])
    PHP_ADD_BUILD_DIR([$ext_builddir/php])
  elif test "$PHP_LARDER_MODULE" = "memcached"; then
    LARDER_DROP_IN([memcached], [MEMCACHED])
  else
    LARDER_DROP_IN([memcache], [MEMCACHE])
  fi
  PHP_ADD_BUILD_DIR([$ext_builddir/core/base])
  PHP_ADD_BUILD_DIR([$ext_builddir/core/client])
  PHP_ADD_BUILD_DIR([$ext_builddir/value])
fi
