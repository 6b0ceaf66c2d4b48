<?php declare(strict_types=1) ?>
<?php
/**
 * Pages with parts. SSI is on for what is stored alone, in which Larder has written all commands: never for an answer
 * of PHP. A visitor cannot ask for a part or a shell. Where an include leads, the request's own URI is that of a page,
 * and no URI of a part can be one.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Page\Area;
use Larder\Page\NginxText;
use Larder\Page\PagePath;

[$name, $site, $place] = [$this->name, $this->site, $this->place];
$stored = '^' . preg_quote($place) . '(' . PagePath::SHELL . '/.*)$';
// With files, the look at the page itself has made its file of the URI: one below another root.
$uris = $site->storage->memcached === [] ? ['_' => ''] : ['_' => '$uri', '_other_' => "\${$name}_other"];
?>
# Pages with parts: nginx puts these in. Only what is stored has commands, and all are Larder's.
<?php foreach (array_filter($site->urls->areas, $this->hasShells(...)) as $number => $area): ?>
<?php foreach ($uris as $from => $uri): ?>
location @<?= $name ?>_shell<?= $from . $number ?> {
    <?php $this->pieces(PagePath::SHELL, '"larder; hit"') ?>
    default_type <?= NginxText::literal($area->type) ?>;
    <?php if ($site->storage->memcached !== []): ?>
    srcache_fetch GET <?= $place ?>/page <?= $this->store . PagePath::SHELL . $this->maps->bucket($area) . $uri ?>;
    <?php endif ?>
    <?php if ($this->hasStatuses): ?>
    error_page 404 = @<?= $name ?>_status_<?= $number ?>; # perhaps it is gone, or elsewhere
    error_page 403 405 500 = <?= $this->way($number) ?>;
    <?php else: ?>
    error_page 403 404 405 500 = <?= $this->way($number) ?>;
    <?php endif ?>
}
<?php endforeach ?>
<?php endforeach ?>

# The same for a page that PHP has just stored. If a change was faster, PHP makes it whole.
location ^~ <?= $place . PagePath::SHELL ?>/ {
    internal;
    <?php $this->pieces('', '$upstream_http_cache_status') ?>
    default_type <?= NginxText::literal(Area::HTML) ?>;
    <?php if ($site->storage->memcached === []): ?>
    rewrite <?= $stored ?> $1<?= PagePath::SUFFIX ?> break;
    <?php else: ?>
    location ~ <?= $stored ?> {
        srcache_fetch GET <?= $place ?>/page <?= $this->store ?>$1;
        error_page 403 404 405 500 = @<?= $name ?>_bypass;
    }
    <?php endif ?>
    error_page 403 404 405 500 = @<?= $name ?>_bypass;
}
