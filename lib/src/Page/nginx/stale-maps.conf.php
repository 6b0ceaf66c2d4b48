<?php declare(strict_types=1) ?>
<?php
/**
 * Maps for changed pages that are still served: their names, and where a request goes to find them.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Page\NginxText;
use Larder\Page\StaleAreas;

$name = $this->name;
?>
<?php foreach ((new StaleAreas($this->site->areas))->spans() as $seconds => $span): ?>

# Unix time in spans of <?= $span->step ?> s. A changed page is found for at most <?= $seconds ?> s.
map $msec $<?= $name ?>_span_<?= $seconds ?> {
    <?= NginxText::lines(NginxText::cases($span->patterns())) ?>
}
<?php endforeach ?>
<?php foreach ($this->stale as $number => $_): ?>
map $<?= $name ?>_page $<?= $name ?>_gone_<?= $number ?> {
    "" $<?= $name ?>_way;
    default @<?= $name ?>_stale_<?= $number ?>;
}
<?php endforeach ?>

# For a request that PHP does not answer.
map $<?= $name ?>_page $<?= $name ?>_down {
    default @<?= $name ?>_down;
    <?= NginxText::lines($this->maps->down()) ?>
}
