<?php declare(strict_types=1) ?>
<?php
/**
 * Changed pages that are still served. They are looked for after the page itself, so a hit costs nothing. One that a
 * process makes anew is served to all; one that nobody makes yet is only served if PHP does not answer.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Page\NginxText;
use Larder\Page\PagePath;
use Larder\Page\StaleSpan;

$name = $this->name;
?>
<?php foreach ($this->stale as $number => $area): ?>
# A changed page that one process makes anew, and one that nobody makes while PHP is down.
<?php foreach (['stale' => ['m'], 'left' => ['m', 'w']] as $place => $states): ?>
<?php $last = $place === 'stale' ? "\${$name}_way" : "@{$name}_down" ?>
location @<?= $name ?>_<?= $place ?>_<?= $number ?> {
    <?= NginxText::bare(fn() => $this->hits($this->pages, 'larder; hit; detail=stale')) ?>
    default_type <?= NginxText::literal($area->type) ?>;
    error_page 403 404 405 500 = <?= $last ?>;
    <?php if ($this->site->storage->memcached !== []): ?>
    srcache_fetch GET <?= $this->place ?>/stale <?= $this->store ?>~<?= end($states) ?>$<?= $name ?>_page;
    <?php else: ?>
    try_files
    <?php for ($back = 0; $back < (new StaleSpan((int) $area->stale))->count(); ++$back): ?>
    <?php foreach ($states as $state): ?>
    <?= "/stale/{$area->stale}/\${$name}_span_{$area->stale}/$back/$state\${$name}_page" . PagePath::SUFFIX, "\n" ?>
    <?php endforeach ?>
    <?php endfor ?>
    <?= $last ?>;
    <?php endif ?>
}
<?php endforeach ?>

<?php endforeach ?>
