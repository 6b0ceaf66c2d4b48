<?php declare(strict_types=1) ?>
<?php
/**
 * @var Larder\Page\NginxTemplates $this
 * @var string|null $down
 */
?>
fastcgi_pass <?= $this->name ?>;
fastcgi_connect_timeout 1s;
fastcgi_send_timeout 5s;
fastcgi_read_timeout 30s;
fastcgi_buffer_size 16k;
fastcgi_buffers 32 16k;
expires off;
fastcgi_cache off; # it would keep what a change has ended
fastcgi_store off;
<?php if ($down !== null): ?>
fastcgi_intercept_errors off;
error_page 502 503 504 = <?= $down ?>;
<?php endif ?>
fastcgi_hide_header X-Powered-By;
<?php foreach (array_keys($this->site->serving->headers) as $header): ?>
fastcgi_hide_header <?= $header ?>;
<?php endforeach ?>
add_header X-Larder ""; # an add_header here keeps out the server's, which are for hits
<?php $this->headers(' always') ?>
