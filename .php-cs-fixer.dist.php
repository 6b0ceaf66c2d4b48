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
            ->in(array_map(
                static fn(string $room): string => __DIR__ . '/' . $room,
                ['app', 'bench', 'packages', 'proof', 'testbed', 'tests', 'tools'],
            ))
            ->name(['*.php', '/^[a-z-]+$/'])
            ->notPath('/^(arginfo|deb|extension|first-use|install-test|lint|pie-check|phpunit|rings)$/')
            ->exclude(['var', 'vendor', 'node_modules'])
            ->append([__FILE__]),
    );
