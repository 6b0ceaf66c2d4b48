<?php declare(strict_types=1) ?>
<?php
/**
 * Maps for what is beside the pages: the keys of an edge, files of the public directory, redirects.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Edge\EdgeKeys;
use Larder\Page\NginxMaps;
use Larder\Page\NginxText;
use Larder\Page\RedirectPath;

[$name, $headers] = [$this->name, $this->site->edgeHeaders];
$keys = new EdgeKeys($this->site->name);
$separator = $headers->separator();
?>
<?php if ($this->tellsEdge): ?>

# What the edge may keep of the hits, and by which keys it drops them. None with a time bucket.
map $<?= $name ?>_page $<?= $name ?>_keys {
    default "";
    <?= NginxText::expression('^(?<larder_kept>/(?!@)[^\x20' . trim($separator) . ']*)$'),
    " \"{$keys->site()}$separator{$keys->page('$larder_kept')}\"" ?>;
}
map $<?= $name ?>_keys $<?= $name ?>_kept {
    default "<?= $headers->control() ?>";
    "" "";
}
<?php endif ?>
<?php if ($this->target->public === null): ?>
map "" $<?= $name ?>_path {
    default "";
}
map "" $<?= $name ?>_way {
    default $<?= $name ?>_php;
}
<?php else: ?>

# The path as nginx decodes it. Where the request's own differs, the server block sets it.
map "" $<?= $name ?>_path {
    default "";
}
map $<?= $name ?>_path $<?= $name ?>_name {
    "" $request_uri;
    default $<?= $name ?>_path;
}
map $<?= $name ?>_name $<?= $name ?>_file {
    default "";
    <?= NginxText::expression('^' . preg_quote($this->path) . '(?<larder_file>/.*)$') ?> $larder_file;
}

# Where files may be: no source of PHP, no hidden file.
map "$request_method:$<?= $name ?>_name" $<?= $name ?>_way {
    default $<?= $name ?>_php;
    <?= NginxText::expression(NginxMaps::NEVER) ?> $<?= $name ?>_php;
    "~^(?:GET|HEAD):/.*[^/]$" @<?= $name ?>_files;
}
<?php endif ?>
<?php if ($this->hasStatuses): ?>

# Where a redirect leads to: a path that its link ends at.
map $realpath_root $<?= $name ?>_to {
    default "";
    <?php foreach (RedirectPath::LOCATIONS as $expression => $location): ?>
    <?= NginxText::expression("/to/[0-9a-f]{32}/$expression") ?> "<?= $location ?>";
    <?php endforeach ?>
}
<?php endif ?>
