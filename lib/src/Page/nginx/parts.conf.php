<?php declare(strict_types=1) ?>
<?php
/** @var Larder\Page\NginxTemplates $this */

use Larder\Page\Area;
use Larder\Page\NginxText;
use Larder\Page\PagePath;
use Larder\Page\PageRequest;
use Larder\Page\Part;
use Larder\Page\PartKind;
use Larder\Page\PartName;

[$name, $site] = [$this->name, $this->site];
$parts = $site->urls->parts;
uasort($parts, static fn(Part $a, Part $b): int => strlen($b->prefix) <=> strlen($a->prefix));
$kept = array_filter($parts, static fn(Part $part): bool => $part->kind !== PartKind::Private);
$make = $this->path . PartName::MAKE;
$private = ['PROXY', 'ACCEPT_ENCODING', 'RANGE', 'IF_RANGE', 'IF_MATCH', 'IF_NONE_MATCH', 'IF_MODIFIED_SINCE',
    'IF_UNMODIFIED_SINCE'];
// What a part may be answered by beside 200: then it is empty. nginx can only be given single ones.
$failed = '301 302 303 304 307 308 400 401 402 403 404 405 406 408 409 410 413 415 418 422 423 425 428 429 431 451 500'
    . ' 501 502 503 504 507 508';
?>
# Parts of pages, for an include alone: for a visitor there is none.
location ^~ <?= $site->urls->partUri('') ?> {
    internal;
    <?php $this->pieces('', null) ?>
    return 404;
    <?php foreach ($parts as $number => $part): ?>
    <?php foreach (['= ' . $site->include($part->prefix), $site->urls->partUri($part->prefix) . '/'] as $place): ?>

    # Part <?= $part->prefix, "\n" ?>
    location <?= $place ?> {
        <?php if (!isset($kept[$number])): ?>
        return 418;
        <?php elseif ($site->storage->memcached === []): ?>
        root <?= $this->pages ?>/current<?= $this->maps->before($part) ?>;
        <?php else: ?>
        <?php if ($site->serving->followed): ?>
        if (!-d <?= $this->pages ?>) { return 418; } # nobody follows the database
        <?php endif ?>
        ssi on; # for the stub of a part that is being made
        ssi_types *;
        ssi_silent_errors on;
        <?php $this->memc('pages', "{$this->store}{$this->maps->before($part)}\$uri") ?>
        <?php endif ?>
        error_page 403 404 405 418 500 502 504 = @<?= $name ?>_part_<?= $number ?>;
    }
    <?php endforeach ?>
    <?php endforeach ?>
}
<?php if ($site->storage->memcached !== [] && $kept !== []): ?>

# Where the stub of a part leads.
location ^~ <?= $make ?> {
    internal;
    <?php $this->pieces('', null) ?>
    return 404;
    <?php foreach ($kept as $number => $part): ?>

    location ~ ^<?= preg_quote($make . $part->prefix) ?>(?:/|$) {
        rewrite ^<?= preg_quote($make) ?>(.*)$ <?= $site->urls->partUri('$1') ?> break;
        error_page 403 404 405 500 = @<?= $name ?>_part_<?= $number ?>;
    }
    <?php endforeach ?>
}
<?php endif ?>
<?php foreach ($parts as $number => $part): ?>
location @<?= $name ?>_part_<?= $number ?> {
    if ($<?= $name ?>_uri = "") { return 404; }
    <?php if ($site->storage->memcached === []): ?>
    rewrite ^(.*)<?= PagePath::SUFFIX ?>$ $1 break;
    <?php endif ?>
    <?php $this->fastcgi(null) ?>
    gzip off;
    ssi off;
    charset off;
    <?php if (!isset($kept[$number])): ?>
    <?php foreach ($private as $header): ?>
    fastcgi_param HTTP_<?= $header ?> "";
    <?php endforeach ?>
    fastcgi_param REMOTE_ADDR "$remote_addr";
    fastcgi_param REMOTE_PORT "$remote_port";
    <?php else: ?>
    fastcgi_pass_request_headers off;
    fastcgi_param HTTP_HOST "";
    <?php endif ?>
    fastcgi_pass_request_body off;
    <?php $this->put('script') ?>
    fastcgi_param REQUEST_METHOD "GET";
    fastcgi_param SERVER_PROTOCOL "HTTP/1.1";
    fastcgi_param REQUEST_URI "$uri";
    fastcgi_param QUERY_STRING "";
    fastcgi_param <?= PageRequest::KEY ?> "<?= isset($kept[$number]) ? $this->maps->before($part) . '$uri' : '' ?>";
    fastcgi_param <?= PageRequest::PART ?> "$uri";
    fastcgi_param <?= PageRequest::ENCODING ?> "";
    fastcgi_intercept_errors on;
    error_page <?= $failed ?> = @<?= $name ?>_nothing;
}

<?php endforeach ?>
# A part that failed is empty. The logs of nginx and PHP say why.
location @<?= $name ?>_nothing {
    if ($<?= $name ?>_uri = "") { return 404; }
    default_type <?= NginxText::literal(Area::HTML) ?>;
    return 200 "";
}
