<?php

declare(strict_types=1);

return (new PhpCsFixer\Config())
    ->setParallelConfig(PhpCsFixer\Runner\Parallel\ParallelConfigFactory::detect())
    ->setRiskyAllowed(true)
    ->setCacheFile(__DIR__ . '/build/php-cs-fixer.cache')
    ->setRules([
        '@PER-CS' => true,
        '@PER-CS:risky' => true,
        'declare_strict_types' => true,
        'no_unused_imports' => true,
        'ordered_imports' => ['imports_order' => ['class', 'function', 'const']],
        'single_line_empty_body' => true,
        'strict_comparison' => true,
    ])
    ->setFinder(
        (new PhpCsFixer\Finder())
            ->in([__DIR__ . '/lib', __DIR__ . '/app', __DIR__ . '/bench', __DIR__ . '/tools'])
            ->name(['*.php', '/^[a-z-]+$/'])
            ->notPath('/^(arginfo|extension|lint)$/')
            ->exclude(['var', 'vendor', 'node_modules'])
            ->append([__FILE__]),
    );
