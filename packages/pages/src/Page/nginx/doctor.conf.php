<?php declare(strict_types=1) ?>
<?php
/** @var Larder\Page\NginxTemplates $this */

use Larder\Page\NginxConfig;

$name = $this->name;
?>
# For larder doctor: which configuration is loaded, and whether php-fpm answers. It has put a file of this name into the
# page directory, which nobody can who comes by a proxy on this machine.
location = <?= $this->path . NginxConfig::STATUS ?> {
    error_page 404 = @<?= $name ?>_bypass;
    if ($<?= $name ?>_remote != "") { return 404; }
    <?php $this->put('context') ?>
    default_type application/json;
    add_header Cache-Control "no-store";
    add_header Larder-Configuration "<?= $this->hash ?>";
    add_header Larder-Configuration-Http $<?= $name ?>_http; # another one: include both anew
    if (!-f <?= $this->pages . NginxConfig::ASKED ?>/$<?= $name ?>_asked) { return 200 '<?= $this->toldToAll() ?>'; }
    return 200 '<?= $this->told() ?>';
}
location = <?= $this->path . NginxConfig::STATUS_OF_PHP ?> {
    error_page 404 = @<?= $name ?>_bypass;
    if ($<?= $name ?>_remote != "") { return 404; }
    fastcgi_pass <?= $name ?>;
    fastcgi_connect_timeout 1s;
    fastcgi_read_timeout 5s;
    fastcgi_intercept_errors off;
    fastcgi_pass_request_headers off;
    fastcgi_param HTTP_HOST "";
    fastcgi_pass_request_body off;
    error_page 502 503 504 = @<?= $name ?>_down;
    fastcgi_param REQUEST_METHOD "GET";
    fastcgi_param SCRIPT_FILENAME "/larder-doctor.php";
}
