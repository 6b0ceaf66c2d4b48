/* Servers as they are written in session.save_path and in the third argument of the constructor. */
#ifndef MEMCACHED_ADDRESS_H
#define MEMCACHED_ADDRESS_H

#include "memcached_client.h"

/* "host:port:weight, host, /path:weight". False: there is none, or one of them is not written so. */
bool memcached_address_servers(memcached_client *client, const char *text);

/* "--SERVER=host:port --OPTION=value". False: not written so. */
bool memcached_address_configure(memcached_client *client, const zend_string *text);

#endif
