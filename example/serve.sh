#!/bin/sh
# Usage: sh serve.sh ADDRESS:PORT
#
# Makes the database, deploys the site, and starts a php-fpm and an nginx for it alone: as root they work as www-data,
# else as you. They end by `kill $(cat var/nginx.pid var/php-fpm.pid)`.
set -eu
PATH=$PATH:/usr/sbin
cd -- "$(dirname -- "$0")"
# Composer leaves some packages readable for its user alone.
chmod -R a+rX vendor
[ -e var/data/news.sqlite ] || php schema.php
vendor/bin/larder deploy
if [ "$(id -u)" = 0 ]; then
    user='user www-data;'
    chown -R www-data: var/pages var/data
    cp php-fpm.conf var/php-fpm.conf
else
    user=''
    sed '/www-data/d' php-fpm.conf >var/php-fpm.conf
fi
"php-fpm$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')" --prefix "$PWD" --fpm-config var/php-fpm.conf
vendor/bin/larder nginx:config --listen="$1" --php="$PWD/var/php.sock" --whole="$PWD/var" >var/nginx.conf
nginx -e "$PWD/var/nginx.log" -c "$PWD/var/nginx.conf" -g "$user"
