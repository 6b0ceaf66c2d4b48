<?php

declare(strict_types=1);

/**
 * The memcached servers of the pages.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Page\MemcachedPageStore;
use Larder\Page\NginxText;

$name = $this->name;
$prefix = preg_quote(MemcachedPageStore::prefix($this->site->name));
?>

# The memcached servers of the pages, in the order of the site.
upstream <?= $name ?>_pages {
    <?php $this->servers('$memc_key') ?>
    <?php if ($this->site->parts === []): ?>
    keepalive 32;
    <?php else: /* All parts are fetched at once, and a connection made anew costs as much as three. */ ?>
    keepalive 128;
    <?php endif ?>
}
<?php if ($this->stale !== []): ?>

# The same for changed pages that are still served: each is on the server of its page.
map $memc_key $<?= $name ?>_ring {
    default $memc_key;
    <?= NginxText::expression("^(?<larder_head>$prefix)~[mw](?<larder_key>/.*)$") ?> "$larder_head$larder_key";
}
upstream <?= $name ?>_stale {
    <?php $this->servers("\${$name}_ring") ?>
    keepalive 32;
}
<?php endif ?>
