<?php declare(strict_types=1) ?>
<?php
/**
 * What the locations of pages have.
 *
 * @var Larder\Page\NginxTemplates $this
 * @var string|null $root
 * @var string $status
 * @var string $always
 */
[$name, $site] = [$this->name, $this->site];
?>
<?php if ($site->storage->open !== null): ?>
# Larder's Site has a page store of its own, which nginx does not know: each page is asked of PHP.
types {}
log_not_found off;
recursive_error_pages on;
<?php elseif ($site->storage->memcached !== []): ?>
# A setting of the server does not count here: what a page needs is in Larder's Site, or in the page.
root /dev/null; # for a page that is not there
types {}
log_not_found off;

# A page brings its head along, with the ETag, and is compressed.
srcache_ignore_content_encoding on;
srcache_response_cache_control off;
gunzip on;
etag on;
if_modified_since off;
gzip off;
gzip_static off;
gzip_vary off;
ssi off;
charset off;
expires off;
add_header Cache-Status "<?= $status ?>" always;
<?php if ($site->operations->notes): ?>
add_header Server-Timing "larder;desc=hit";
<?php endif ?>
<?php $this->headers(' always') ?>

# A file or PHP answers if there is no such page, and for methods but GET and HEAD.
recursive_error_pages on;
<?php else: ?>
# A setting of the server does not count here: what a page needs is in Larder's Site.
<?php if ($root !== null): ?>
root <?= $root ?>;
<?php endif ?>
types {}

# A removed page must not be served again, so nginx may keep no descriptor of it.
open_file_cache off;
log_not_found off;

# Who can put a link here can put any page here. A look at each directory would cost a quarter of the rate.
disable_symlinks off;

# A page's mtime is its generation and no date. It makes the ETag; Last-Modified is not used.
etag on;
if_modified_since off;
add_header Last-Modified ""<?= $always ?>;
add_header Cache-Control "no-cache"<?= $always ?>;
add_header Cache-Status "<?= $status ?>"<?= $always ?>;
<?php if ($this->tellsEdge): ?>
add_header <?= $site->serving->edgeHeaders()->keys ?> $<?= $name ?>_keys<?= $always ?>;
add_header <?= $site->serving->edgeHeaders()->control ?> $<?= $name ?>_kept<?= $always ?>;
<?php endif ?>
<?php if ($site->operations->notes): ?>
add_header Server-Timing "larder;desc=hit"<?= $always ?>;
<?php endif ?>
<?php $this->headers($always) ?>

# Clients that accept gzip get the compressed twin, HTTP/1.0 and proxies too. nginx changes nothing.
# Vary is set here: gzip_vary would look for the twin also for clients that do not accept gzip.
add_header Vary "Accept-Encoding"<?= $always ?>;
gzip_static on;
gzip_vary off;
gzip_proxied any;
gzip_http_version 1.0;
gzip off;
ssi off;
charset off;
expires off;

# A file or PHP answers if there is no such page or none to be read, and for methods but GET and HEAD.
recursive_error_pages on;
<?php endif ?>
