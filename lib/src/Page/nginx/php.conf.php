<?php declare(strict_types=1) ?>
<?php
/**
 * The ways to php-fpm: with the page's key and almost nothing else, or with the whole request and no key.
 *
 * PHP gets no header of the client with a key; nginx 1.30 passes Host all the same unless something else is in its
 * place.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Page\PageRequest;

[$name, $site] = [$this->name, $this->site];
$passed = array_map(
    static fn(string $header): string => strtr(strtolower($header), '-', '_'),
    $site->visitors->passHeaders,
);
?>
<?php foreach ($this->maps->ignoresSessions() ? ['keyed', 'kept'] : ['keyed'] as $way): ?>
# A page that could be stored. PHP gets only what is part of the key, so nothing else can be in it.
location @<?= $name ?>_<?= $way ?> {
    <?php $this->fastcgi($this->stale === [] ? "@{$name}_down" : "\${$name}_down") ?>
    <?php if ($way === 'kept'): /* A render that starts a session would give this visitor another one. */ ?>
    fastcgi_hide_header Set-Cookie; # this visitor keeps the session that he has
    <?php endif ?>
    gzip off;
    ssi off;
    charset off;
    fastcgi_pass_request_headers off;
    fastcgi_param HTTP_HOST "";
    fastcgi_pass_request_body off;
    <?php if ($this->stale !== []): ?>
    recursive_error_pages on;
    <?php endif ?>
    fastcgi_ignore_client_abort on; # the page is useful even if this client has gone
    <?php $this->put('script') ?>
    fastcgi_param REQUEST_METHOD "GET";
    fastcgi_param SERVER_PROTOCOL "HTTP/1.1";
    fastcgi_param REQUEST_URI "$<?= $name ?>_uri";
    fastcgi_param QUERY_STRING "$<?= $name ?>_args";
    fastcgi_param <?= PageRequest::KEY ?> "$<?= $name ?>_page";
    fastcgi_param <?= PageRequest::ENCODING ?> "$<?= $name ?>_gzip";
    <?php if ($site->urls->parts !== []): /* nginx puts them in; here PHP is asked for a page with its parts. */ ?>
    fastcgi_param <?= PageRequest::WHOLE ?> "@<?= $name ?>_bypass";
    <?php endif ?>
    <?php foreach (array_unique($passed) as $header): ?>
    fastcgi_param HTTP_<?= strtoupper($header) ?> "$http_<?= $header ?>" if_not_empty;
    <?php endforeach ?>
}

<?php endforeach ?>
# Everything else. PHP gets the whole request and no key, so nothing is stored.
location @<?= $name ?>_bypass {
    <?php $this->fastcgi("@{$name}_down") ?>
    <?php if ($site->urls->parts !== []): ?>
    ssi off; # here PHP itself puts the parts in
    <?php endif ?>
    <?php $this->put('script') ?>
    fastcgi_param REQUEST_URI "$request_uri";
    fastcgi_param QUERY_STRING "$args";
    fastcgi_param REQUEST_METHOD "$request_method";
    fastcgi_param SERVER_PROTOCOL "$server_protocol";
    fastcgi_param CONTENT_TYPE "$content_type";
    fastcgi_param CONTENT_LENGTH "$content_length";
    fastcgi_param REMOTE_ADDR "$remote_addr";
    fastcgi_param REMOTE_PORT "$remote_port";
    fastcgi_param SERVER_ADDR "$server_addr";
    fastcgi_param SERVER_PORT "$server_port";
    fastcgi_param <?= PageRequest::KEY ?> "";
    fastcgi_param <?= PageRequest::ENCODING ?> "$<?= $name ?>_gzip";
    fastcgi_param HTTP_PROXY "";
    <?php if ($site->serving->edge !== null): ?>
    fastcgi_hide_header <?= $site->serving->edgeHeaders()->keys ?>;
    fastcgi_hide_header <?= $site->serving->edgeHeaders()->control ?>;
    <?php endif ?>
}

# php-fpm is stopped, overloaded or too slow.
location @<?= $name ?>_down {
    default_type "text/plain; charset=utf-8";
    add_header Retry-After "5" always;
    add_header Cache-Control "no-store" always;
    add_header Cache-Status 'larder; fwd=miss; detail="no answer from PHP"' always;
    <?php $this->headers(' always') ?>
    return 503 "The site cannot make this page just now. Please try again in a few seconds.\n";
}
