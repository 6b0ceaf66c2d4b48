<?php

declare(strict_types=1);

use Larder\Bench\Server\MadeSite;
use Larder\Bench\Workload\Http\StoredPages;
use Larder\Bench\Workload\Requests\EdgeChanges;
use Larder\Bench\Workload\Requests\RequestCosts;

// Stored pages beside the same bytes by what else nginx has, and what requests cost that reach PHP, and changes:
// docs/explanation/costs.md.

$page = 'a page of 2 KB and 2 queries from php-fpm, until its answer was there';
$counted = 'the same under strace, once: its counts mean something, and its rate does not';
$costs = new RequestCosts();
$sites = [];
foreach (['sqlite' => 'SQLite', 'mariadb' => 'MariaDB', 'postgresql' => 'PostgreSQL'] as $site => $title) {
    $ways = 'plain bypass miss preloaded hit' . ($site === 'sqlite' ? '' : ' kept first first-kept');
    $subjects = "$site-" . str_replace(' ', " $site-", $ways);
    $sites["request_costs_$site"] = ["Requests to PHP, $title", $page, 'requests', $costs, $subjects, [[]]];
    $sites["request_calls_$site"] = [
        "Requests to PHP, counted, $title", $counted, 'requests', new RequestCosts(true), $subjects, [[]],
        'blocks' => 1,
    ];
}

return [
    'stored_pages' => [
        'Stored pages',
        'a page that is stored, out of files or memcached, or the same bytes by what else nginx has for them',
        'requests', new StoredPages(), 'stored-memcached stored-srcache stored-pass stored-files stored-plain',
        [['size' => [2, 50]]],
    ],
    'stored_parts' => [
        'Stored pages of parts', 'a page of 2 KB and so many parts of 450 bytes, which nginx puts together',
        'requests', new StoredPages(), 'parts-static parts-files parts-memcached', [['parts' => MadeSite::PARTS]],
    ],
    ...$sites,
    'change_costs' => [
        'Changes, SQLite', 'a change of one row in a fresh request, which drops so many pages', 'changes', $costs,
        'change-plain change-told', [['pages' => [0, 10, 1000]], ['pages' => 1000, 'beside' => true]],
    ],
    'edge_costs' => [
        'Changes with an edge',
        'a change of one row by key, outside a transaction, until all edges have dropped its pages', 'changes',
        new EdgeChanges(), 'edge-none edge-1 edge-3', [['workers' => 1, 'placement' => 'floating']],
    ],
];
