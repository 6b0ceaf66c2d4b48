<?php declare(strict_types=1) ?>
<?php
/**
 * @var Larder\Page\NginxTemplates $this
 * @var string $upstream
 * @var string $key
 */
?>
set $memc_cmd get;
set $memc_key <?= $key ?>;
memc_cmds_allowed get;
memc_buffer_size 64k; # of a page at once: in small pieces a large one takes twice as long
memc_next_upstream off;
memc_connect_timeout <?= $this->site->storage->patience ?>ms;
memc_send_timeout <?= $this->site->storage->patience ?>ms;
memc_read_timeout <?= $this->site->storage->patience ?>ms;
memc_pass <?= $this->name ?>_<?= $upstream ?>;
