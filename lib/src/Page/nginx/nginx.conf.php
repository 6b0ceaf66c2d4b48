<?php declare(strict_types=1) ?>
<?php
/**
 * @var Larder\Page\NginxTemplates $this
 * @var string $inner
 */

use Larder\Page\NginxModules;

[$target, $directory] = [$this->target, $this->target->directory];
?>
<?php if ($this->site->storage->memcached !== []): ?>
<?php foreach (array_keys(NginxModules::PACKAGES) as $module): ?>
load_module <?= NginxModules::path($module) ?>;
<?php endforeach ?>
<?php endif ?>
<?php if ($target->user !== null): ?>
user <?= $target->user ?>;
<?php endif ?>
worker_processes auto;
worker_rlimit_nofile 8192;
pcre_jit on;
pid <?= $directory ?>/nginx.pid;
error_log <?= $directory ?>/nginx.log warn;

events {
    worker_connections 2048;
}

http {
    client_body_temp_path <?= $directory ?>/client_body;
    fastcgi_temp_path <?= $directory ?>/fastcgi;
    proxy_temp_path <?= $directory ?>/proxy;
    scgi_temp_path <?= $directory ?>/scgi;
    uwsgi_temp_path <?= $directory ?>/uwsgi;
<?php if ($this->site->operations->hitLog === null): ?>
    access_log off;
<?php endif ?>
    server_tokens off;
    sendfile on;
    tcp_nopush on;
    keepalive_timeout 60s;
    keepalive_requests 100000;
    server_names_hash_bucket_size 128;
    types_hash_max_size 2048;
    variables_hash_max_size 2048;

<?= $inner ?>
}
