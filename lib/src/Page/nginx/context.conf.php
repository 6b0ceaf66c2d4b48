<?php declare(strict_types=1) ?>
<?php
/**
 * For each location where a visitor's context is used, in it or above it.
 *
 * @var Larder\Page\NginxTemplates $this
 */
$name = $this->name;
?>
<?php if ($this->site->visitors->contexts !== null): ?>
secure_link $<?= $name ?>_signed;
secure_link_md5 "<?= "\${$name}_secret\${$name}_ends|\${$name}_text|\${$name}_made|\${$name}_secret\${$name}_proof" ?>";
<?php endif ?>
