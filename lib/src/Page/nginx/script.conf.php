<?php declare(strict_types=1) ?>
<?php
/** @var Larder\Page\NginxTemplates $this */

use Larder\Page\Context;

$target = $this->target;
?>
fastcgi_param SCRIPT_FILENAME "<?= $target->script ?>";
fastcgi_param SCRIPT_NAME "<?= $this->path ?>/<?= basename($target->script) ?>";
fastcgi_param DOCUMENT_ROOT "<?= $target->public ?? dirname($target->script) ?>";
fastcgi_param GATEWAY_INTERFACE "CGI/1.1";
<?php $this->put('context') ?>
<?php if ($this->site->visitors->contexts !== null): ?>
fastcgi_param <?= Context::PARAMETER ?> "$<?= $this->name ?>_context";
<?php endif ?>
fastcgi_param SERVER_SOFTWARE "nginx";
fastcgi_param SERVER_NAME "<?= $this->site->hosts[0] ?>";
fastcgi_param REQUEST_SCHEME "<?= $target->https ? 'https' : 'http' ?>";
<?php if ($target->https): ?>
fastcgi_param HTTPS "on";
<?php endif ?>
