<?php declare(strict_types=1) ?>
<?php /** @var Larder\Page\NginxTemplates $this */ ?>
<?php if ($this->target->defaultServer): ?>
# An unknown Host gets no answer, so that no page is made for an invented name.
server {
    <?php foreach ($this->target->listen as $address): ?>
    listen <?= $address ?> default_server;
    <?php endforeach ?>
    server_name _;
    return 444;
}

<?php endif ?>
server {
    <?php foreach ($this->target->listen as $address): ?>
    listen <?= $address ?>;
    <?php endforeach ?>
    server_name <?= strtolower(implode(' ', $this->site->hosts)) ?>;

    <?php $this->put('locations') ?>
}
