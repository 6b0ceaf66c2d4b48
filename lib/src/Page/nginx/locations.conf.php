<?php declare(strict_types=1) ?>
<?php
/** @var Larder\Page\NginxTemplates $this */

use Larder\Page\NginxText;

[$name, $site] = [$this->name, $this->site];
$current = $this->pages . '/current';
$widest = count($site->urls->areas) - 1;
?>
# Larder: <?= $site->name ?>, for its server block

<?php if ($this->path === ''): ?>
# Only nginx may name a time bucket.
location /@ {
    error_page 404 = @<?= $name ?>_bypass;
    return 404;
}

<?php endif ?>
location <?= $this->path ?>/ {
    <?php $this->hits($current) ?>

    <?php $this->area($widest) ?>
    <?php foreach ($site->urls->areas as $number => $area): ?>
    <?php if ($area->prefix !== $site->urls->path): ?>

    location = <?= $area->prefix ?> {
        <?php $this->area($number) ?>
    }

    location <?= $area->prefix ?>/ {
        <?php $this->area($number) ?>
    }
    <?php endif ?>
    <?php endforeach ?>
}
<?php if ($this->path !== ''): ?>

location = <?= $this->path ?> {
    <?= NginxText::bare(fn() => $this->hits($current)) ?>
    <?= NginxText::bare(fn() => $this->area($widest)) ?>
}
<?php endif ?>

# The same for a URI with an escape or a query: its page has another name than nginx's own path.
<?php foreach ($site->urls->areas as $number => $area): ?>
location @<?= $name ?>_other_<?= $number ?> {
    <?= NginxText::bare(fn() => $this->hits($current)) ?>
    <?php $this->area($number, isOther: true) ?>
}

<?php endforeach ?>
<?php if ($site->urls->parts !== []): ?>
<?php $this->put('shells') ?>
<?php $this->put('parts') ?>
<?php endif ?>
<?php if ($this->hasStatuses): ?>
<?php $this->put('statuses') ?>

<?php endif ?>
<?php $this->put('doctor') ?>

<?php if ($site->storage->memcached !== []): ?>
<?php $this->put('memcached') ?>
<?php endif ?>
<?php $this->put('stale') ?>
<?php $this->put('php') ?>
<?php if ($this->target->public !== null): ?>

<?php $this->put('files') ?>
<?php endif ?>
