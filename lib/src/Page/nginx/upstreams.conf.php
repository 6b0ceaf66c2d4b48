<?php declare(strict_types=1) ?>
<?php
/** @var Larder\Page\NginxTemplates $this */

use Larder\Page\NginxText;

[$name, $site] = [$this->name, $this->site];
$ring = $name . '_ring';
$keys = ['pages' => 'memc_key'] + ($this->stale === [] ? [] : ['stale' => $ring]);
$prefix = preg_quote($this->store);
?>
<?php foreach ($keys as $kind => $key): ?>

<?php if ($kind === 'pages'): ?>
# The memcached servers of the pages, in the order of the site.
<?php else: ?>
# The same for changed pages that are still served: each is on the server of its page.
map $memc_key $<?= $ring ?> {
    default $memc_key;
    <?= NginxText::expression("^(?<larder_head>$prefix)~[mw](?<larder_key>/.*)$") ?> "$larder_head$larder_key";
}
<?php endif ?>
upstream <?= $name ?>_<?= $kind ?> {
    <?php if ($this->guard !== null): ?>
    # larder guard writes it, so that has to run first.
    include <?= $this->guard ?>;
    <?php else: ?>
    <?php foreach ($site->storage->memcached as $server): ?>
    server <?= $server ?> max_fails=0;
    <?php endforeach ?>
    <?php endif ?>
    <?php if (count($site->storage->memcached) > 1): ?>
    hash $<?= $key ?> consistent; # as PHP does. No server ever has the keys of another one
    <?php endif ?>
    <?php if ($kind === 'pages' && $site->urls->parts !== []): /* All are fetched at once; a connection is dear. */ ?>
    keepalive 128;
    <?php else: ?>
    keepalive 32;
    <?php endif ?>
}
<?php endforeach ?>
