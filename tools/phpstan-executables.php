<?php

declare(strict_types=1);

// PHPStan finds .php files by itself; this adds the executables, which have no such ending.
$executables = glob(
    __DIR__ . '/../{{app,bench,packages/console,proof}/bin/*,'
        . 'proof/tests/browser/shown-site,tools/{again,includes,peers,phar,reference-docs,release,walks}}',
    \GLOB_BRACE,
);

return ['parameters' => ['paths' => $executables === false ? [] : $executables]];
