<?php declare(strict_types=1) ?>
<?php
/**
 * How the page of an area is found. nginx reads `if ($a$b)` as one variable named `a$b`, and `if ($a)` takes "0" for
 * empty: so each is compared. An alias would not find `/` and `/news/`, so there is a rewrite. No form is faster.
 *
 * @var Larder\Page\NginxTemplates $this
 * @var int $number
 * @var bool $isOther
 */

use Larder\Page\NginxText;
use Larder\Page\PagePath;

[$name, $site] = [$this->name, $this->site];
$area = $site->urls->areas[$number];
$uri = $this->maps->bucket($area) . ($isOther ? "\${$name}_other" : '$uri');
// Of files, one location looks for shells.
$from = ($isOther && $site->storage->memcached !== [] ? '_other_' : '_') . $number;
$way = $isOther ? $this->way($number) : "\${$name}_way_$number";
// Where it is 404, no page may answer. Otherwise that is looked for elsewhere.
$pass = $site->urls->parts !== [] || $this->hasStatuses ? 405 : 404;
?>
<?php if (!$isOther): ?>
# Area <?= $area->prefix ?>, <?= $area->ttl === null ? 'exact' : "ttl {$area->ttl} s", "\n" ?>
# The decoded path must equal the raw one: no query, no "%", no "..", no "//".
if ($request_uri != $uri) {
    set $<?= $name ?>_path $uri;
    return <?= $pass ?>;
}
<?php endif ?>
<?php foreach ([...($area->ignoreCookies ? [] : $this->maps->sessions()), '$http_authorization'] as $variable): ?>
if (<?= $variable ?> != "") { return <?= $pass ?>; }
<?php endforeach ?>
<?php if ($site->serving->followed && $site->storage->memcached !== []): ?>
if (!-d <?= $this->pages ?>) { return <?= $pass ?>; } # nobody follows the database
<?php endif ?>
<?php if ($site->storage->open !== null): ?>
return 404;
<?php elseif ($site->storage->memcached !== []): ?>
srcache_fetch GET <?= $this->place ?>/page <?= $this->store . $uri ?>;
<?php else: ?>
default_type <?= NginxText::literal($area->type) ?>;
rewrite ^ <?= $uri . PagePath::SUFFIX ?> break;
<?php endif ?>
<?php if ($this->hasShells($area)): ?>
error_page 404 = @<?= $name ?>_shell<?= $from ?>; # perhaps it has parts
error_page 403 405 500 = <?= $way ?>;
<?php elseif ($this->hasStatuses): ?>
error_page 404 = @<?= $name ?>_status_<?= $number ?>; # perhaps it is gone, or elsewhere
error_page 403 405 500 = <?= $way ?>;
<?php else: ?>
error_page 403 404 405 500 = <?= $way ?>;
<?php endif ?>
