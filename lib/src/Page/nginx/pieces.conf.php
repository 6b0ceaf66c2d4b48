<?php declare(strict_types=1) ?>
<?php
/**
 * What the locations of shells and parts have. Of a shell there is no ETag: the whole page is another one for each
 * visitor, and at each time.
 *
 * @var Larder\Page\NginxTemplates $this
 * @var string $below
 * @var string|null $status
 */

use Larder\Page\Area;
use Larder\Page\NginxText;
use Larder\Page\PartKind;

$site = $this->site;
$always = $site->storage->memcached === [] ? '' : ' always';
?>
<?php if ($site->storage->memcached === []): ?>
root <?= $this->pages ?>/current<?= $below ?>;
open_file_cache off;
disable_symlinks off;
<?php else: ?>
root /dev/null;
srcache_ignore_content_encoding on;
srcache_response_cache_control off;
<?php endif ?>
types {}
log_not_found off;
etag off;
if_modified_since off;
sendfile off; # it would send each piece by itself, and then wait
gzip_static off;
charset off;
expires off;
recursive_error_pages on;
<?php if ($status === null): ?>
<?php $this->put('context') ?>
default_type <?= NginxText::literal(Area::HTML) ?>;
gzip off;
gunzip off;
ssi off;
<?php else: ?>
<?php if (!in_array(PartKind::Private, array_column($site->urls->parts, 'kind'), true)): /* It would wait for PHP. */ ?>
postpone_output 16k; # the pieces of a page in one packet: each by itself would cost as much as a part
<?php endif ?>
# A type with a charset is no type that ssi_types and gzip_types could name.
ssi on;
ssi_types *;
ssi_silent_errors on;
ssi_last_modified off;
gzip on;
gzip_types *;
gzip_comp_level 1;
gzip_proxied any;
gzip_vary off;
<?php if ($site->storage->memcached === []): ?>
add_header Vary "Accept-Encoding";
add_header Cache-Control "private, no-cache";
<?php endif ?>
add_header Cache-Status <?= $status . $always ?>;
<?php if ($site->operations->notes): ?>
add_header Server-Timing "larder;desc=hit";
<?php endif ?>
<?php $this->headers($always) ?>
<?php endif ?>
