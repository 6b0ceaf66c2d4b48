<?php

declare(strict_types=1);

/**
 * The servers in an upstream of memcached.
 *
 * @var Larder\Page\NginxTemplates $this
 * @var string $key
 */
$site = $this->site;
?>
<?php if ($site->guarded !== null): ?>
# larder guard writes it, so that has to run first.
include <?= $site->guarded->path() ?>;
<?php else: ?>
<?php foreach ($site->memcached as $server): ?>
server <?= $server ?> max_fails=0;
<?php endforeach ?>
<?php endif ?>
<?php if (count($site->memcached) > 1): ?>
hash <?= $key ?> consistent; # as PHP does. No server ever has the keys of another one
<?php endif ?>
