<?php declare(strict_types=1) ?>
<?php
/**
 * For the http context: upstreams and maps. nginx evaluates a map when its variable is used: none for a hit without
 * query.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Edge\EdgeKeys;
use Larder\Page\NginxMaps;
use Larder\Page\NginxText;
use Larder\Page\PagePath;
use Larder\Page\PageRequest;
use Larder\Page\RedirectPath;
use Larder\Page\StaleAreas;

[$name, $site, $edge] = [$this->name, $this->site, $this->site->serving->edgeHeaders()];
$cookies = $this->maps->cookies();
$keys = new EdgeKeys($site->name);
?>
# Larder: <?= $site->name ?>, for the http context
# If nginx warns of variables_hash, give nginx.conf the line: variables_hash_max_size 2048;

# A name that nginx takes once: it refuses another site of this name.
upstream <?= $name ?> {
    server unix:<?= $this->target->socket ?>;
}
<?php if ($site->storage->memcached !== []): ?>
<?php $this->put('upstreams') ?>
<?php endif ?>

# Of which configuration this is the half, for larder doctor.
map "" $<?= $name ?>_http {
    default "<?= $this->hash ?>";
}

# The page's URI where it is not the request's own path: canonical queries and escapes, without the parameters
# that are ignored.
map $request_uri $<?= $name ?>_other {
    default "";
    <?= NginxText::lines($this->maps->others()) ?>
}

# URIs that can be a page: canonical escapes, no "..", no "//", no hidden names, at most <?= PagePath::LONGEST ?> bytes.
map $request_uri $<?= $name ?>_uri {
    default $<?= $name ?>_other;
    <?= $this->maps->canonical() ?> $request_uri;
}
map $<?= $name ?>_uri $<?= $name ?>_args {
    default "";
    "~\?(?<larder_args>.*)$" $larder_args;
}

# Requests that can make a page: a GET without a session.
map "$request_method:$http_authorization" $<?= $name ?>_asker {
    default "";
    "GET:" "GET:";
}
<?php if ($cookies !== null): ?>
map $http_cookie $<?= $name ?>_cookies {
    default "";
    <?= $cookies ?> "session";
}
<?php endif ?>
map "<?= implode('', $this->maps->sessions()) ?>" $<?= $name ?>_session {
    default "session";
    "" "";
}
<?php foreach ($this->maps->buckets() as $seconds => $cases): ?>

# The clock in spans of <?= $seconds ?> s. A map has one value during a request: nginx and PHP use one bucket.
map $time_iso8601 $<?= $name ?>_bucket_<?= $seconds ?> {
    <?= NginxText::lines($cases) ?>
}
<?php endforeach ?>
<?php if ($site->serving->followed): ?>

# Pages are found by a link of the present second, which larder follow makes while it is at work.
map $msec $<?= $name ?>_second {
    default "none";
    "~^(?<larder_second>\d+)\." "$larder_second";
}
<?php endif ?>
<?php $this->put('contexts') ?>

# The page's key, which is made only here. If it is empty, nothing can be stored.
map "$<?= $name ?>_asker$<?= $name ?>_session$<?= $name ?>_uri" $<?= $name ?>_page {
    default "";
    <?= NginxText::lines($this->maps->keys()) ?>
}

# The location for a request that no page and no file answers.
map "$<?= $name ?>_session:$<?= $name ?>_page" $<?= $name ?>_php {
    default @<?= $name ?>_bypass;
    "~^:." @<?= $name ?>_keyed;
    <?php if ($this->maps->ignoresSessions()): ?>
    "~^session:." @<?= $name ?>_kept;
    <?php endif ?>
}
<?php if ($this->tellsEdge): ?>

# What the edge may keep of the hits, and by which keys it drops them. None with a time bucket.
map $<?= $name ?>_page $<?= $name ?>_keys {
    default "";
    <?= NginxText::expression('^(?<larder_kept>/(?!@)[^\x20' . trim($edge->separator()) . ']*)$') ?> "<?=
        $keys->site(), $edge->separator(), $keys->page('$larder_kept') ?>";
}
map $<?= $name ?>_keys $<?= $name ?>_kept {
    default "<?= $edge->control() ?>";
    "" "";
}
<?php endif ?>
<?php if ($this->target->public === null): ?>
map "" $<?= $name ?>_path {
    default "";
}
map "" $<?= $name ?>_way {
    default $<?= $name ?>_php;
}
<?php else: ?>

# The path as nginx decodes it. Where the request's own differs, the server block sets it.
map "" $<?= $name ?>_path {
    default "";
}
map $<?= $name ?>_path $<?= $name ?>_name {
    "" $request_uri;
    default $<?= $name ?>_path;
}
map $<?= $name ?>_name $<?= $name ?>_file {
    default "";
    <?= NginxText::expression('^' . preg_quote($this->path) . '(?<larder_file>/.*)$') ?> $larder_file;
}

# Where files may be: those of known endings, no source of PHP, no hidden file.
map "$request_method:$<?= $name ?>_name" $<?= $name ?>_way {
    default $<?= $name ?>_php;
    <?= NginxText::expression(NginxMaps::NEVER) ?> $<?= $name ?>_php;
    <?= NginxText::expression($this->maps->files()) ?> @<?= $name ?>_files;
}
<?php endif ?>
<?php if ($this->hasStatuses): ?>

# Where a redirect leads to: a path that its link ends at.
map $realpath_root $<?= $name ?>_to {
    default "";
    <?php foreach (RedirectPath::LOCATIONS as $expression => $location): ?>
    <?= NginxText::expression("/to/[0-9a-f]{32}/$expression") ?> "<?= $location ?>";
    <?php endforeach ?>
}
<?php endif ?>
<?php if ($this->stale !== []): ?>
<?php foreach ((new StaleAreas($site->urls->areas))->spans() as $seconds => $span): ?>

# Unix time in spans of <?= $span->step ?> s. A changed page is found for at most <?= $seconds ?> s.
map $msec $<?= $name ?>_span_<?= $seconds ?> {
    <?= NginxText::lines(NginxText::cases($span->patterns())) ?>
}
<?php endforeach ?>
<?php foreach ($this->stale as $number => $_): ?>
map $<?= $name ?>_page $<?= $name ?>_gone_<?= $number ?> {
    "" $<?= $name ?>_way;
    default @<?= $name ?>_stale_<?= $number ?>;
}
<?php endforeach ?>

# For a request that PHP does not answer.
map $<?= $name ?>_page $<?= $name ?>_down {
    default @<?= $name ?>_down;
    <?= NginxText::lines($this->maps->down()) ?>
}
<?php endif ?>
<?php foreach ($site->urls->areas as $number => $area): ?>
map $<?= $name ?>_other $<?= $name ?>_way_<?= $number ?> {
    "" <?= $this->way($number) ?>;
    default @<?= $name ?>_other_<?= $number ?>;
}
<?php endforeach ?>

# All that PHP gets of Accept-Encoding.
map $http_accept_encoding $<?= $name ?>_gzip {
    default "";
    <?= NginxText::lines(NginxText::cases(PageRequest::ENCODINGS)) ?>
}
<?php if ($site->operations->hitLog !== null): /* Only a hit has this header without an upstream. */ ?>

# An empty line for each hit. A server with an access_log of its own needs this one too.
map "$upstream_addr:$sent_http_cache_status" $<?= $name ?>_hit {
    default "";
    ":larder; hit" "1";
    <?php if ($this->stale !== []): ?>
    ":larder; hit; detail=stale" "1";
    <?php endif ?>
}
log_format <?= $name ?>_hit "";
access_log <?= $site->operations->hitLog ?> <?= $name ?>_hit buffer=4k flush=1s if=$<?= $name ?>_hit;
<?php endif ?>

# The name of a file, by which larder doctor shows that it may write to the page directory.
map $http_larder_asked $<?= $name ?>_asked {
    default "-";
    "~^[0-9a-f]{32}$" $http_larder_asked;
}

# Who asks not from this machine, or by a proxy.
map "$remote_addr$http_x_forwarded_for$http_forwarded$http_via$http_x_real_ip" $<?= $name ?>_remote {
    default "1";
    "127.0.0.1" "";
    "::1" "";
    "unix:" "";
}
