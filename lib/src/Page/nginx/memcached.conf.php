<?php declare(strict_types=1) ?>
<?php /** @var Larder\Page\NginxTemplates $this */ ?>
# A page out of memcached, for a key. The key's server or none: an old page may be on another one.
<?php foreach (['page' => 'pages'] + ($this->stale === [] ? [] : ['stale' => 'stale']) as $place => $upstream): ?>
<?php if ($this->guard !== null): ?>
# For one that is out, the next one is asked: it has none.
<?php endif ?>
location = <?= $this->place ?>/<?= $place ?> {
    internal;
    error_log <?= $this->target->log ?> crit; # each page that is being made would be a line
    <?php $this->memc($upstream, '$args') ?>
}

<?php endforeach ?>
