<?php declare(strict_types=1) ?>
<?php
/**
 * Answers of other statuses out of files. They are looked for after the page itself, so a hit costs nothing, and a miss
 * four looks for a file.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Page\NginxText;
use Larder\Page\PagePath;

$name = $this->name;
$root = $this->pages . '/current' . PagePath::STATUS;
// What stands for a redirect between two locations: nginx would add an empty Location to one.
$leads = [301 => 418, 308 => 423];
?>
# Pages that are gone or elsewhere. The look at the page itself has made its file of the URI.
<?php foreach ($this->site->urls->areas as $number => $area): ?>
location @<?= $name ?>_status_<?= $number ?> {
    log_not_found off;
    recursive_error_pages on;
    <?php foreach (PagePath::STATUSES as $status): ?>
    <?php if (isset($leads[$status])): ?>
    if (-d <?= $root . $status ?>$uri) { return <?= $leads[$status] ?>; }
    error_page <?= $leads[$status] ?> =<?= $status ?> @<?= $name ?>_status_<?= $number ?>_<?= $status ?>;
    <?php else: ?>
    if (-f <?= $root . $status ?>$uri) { return <?= $status ?>; }
    error_page <?= $status ?> @<?= $name ?>_status_<?= $number ?>_<?= $status ?>;
    <?php endif ?>
    <?php endforeach ?>
    return 405;
    error_page 403 405 500 = <?= $this->way($number) ?>;
}
<?php foreach (PagePath::STATUSES as $status): ?>
location @<?= $name ?>_status_<?= $number ?>_<?= $status ?> {
    <?= NginxText::bare(fn() => $this->hits(null, always: ' always')) ?>
    default_type <?= NginxText::literal($area->type) ?>;
    <?php if (isset($leads[$status])): ?>
    root <?= $root . $status ?>$uri;
    if ($request_method = POST) { return 405; }
    if ($<?= $name ?>_to = "") { return 405; }
    add_header Location $<?= $name ?>_to always;
    return 200 ""; # as what the status is kept for
    <?php else: ?>
    root <?= $root . $status ?>;
    <?php endif ?>
    error_page 403 404 405 500 = <?= $this->way($number) ?>;
}
<?php endforeach ?>
<?php endforeach ?>
