<?php declare(strict_types=1) ?>
<?php
/**
 * The files of the public directory. It is a rule and no list of names, so that uploads need no new configuration.
 *
 * @var Larder\Page\NginxTemplates $this
 */
?>
# Files that no page stands in front of. What else a visitor asks for is PHP's.
location @<?= $this->name ?>_files {
    root <?= $this->target->public ?>;
    types {
        <?php foreach ($this->maps->types() as $type => $endings): ?>
        "<?= $type ?>" <?= implode(' ', $endings) ?>;
        <?php endforeach ?>
    }
    default_type application/octet-stream;
    disable_symlinks off;
    log_not_found off;
    etag on;
    if_modified_since exact;
    expires off;
    ssi off;
    charset off;
    gzip_static on;
    gzip_vary off;
    gzip_proxied any;
    gzip_http_version 1.0;
    gzip off;
    add_header Vary "Accept-Encoding";
    add_header Cache-Control "no-cache";
    <?php $this->headers('') ?>
    recursive_error_pages on;
    error_page 403 404 405 = $<?= $this->name ?>_php;
    try_files $<?= $this->name ?>_file $<?= $this->name ?>_php;
}
