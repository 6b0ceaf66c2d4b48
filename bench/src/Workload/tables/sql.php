<?php

declare(strict_types=1);

use Larder\Bench\Workload\Follow\Following;
use Larder\Bench\Workload\Session\Sessions;
use Larder\Bench\Workload\Sql\RowQuery;
use Larder\Bench\Workload\Sql\TrackedStatements;

// Rows by key, past the SQL layer or through it; what it costs that Larder sees statements; sessions; the follower.

$databases = ['workers' => 1, 'database' => ['mariadb', 'postgresql']];

return [
    'row_get' => [
        'Rows: one', 'one of 25,000 rows of 500 bytes by its key', 'rows', new RowQuery('one'),
        'row-text row-prepared row-handler row-handlersocket row-value row-memcached row-memory', [$databases],
    ],
    'row_get_many' => [
        'Rows: fifty', 'fifty of 25,000 rows by their keys', 'calls', new RowQuery('many'),
        'row-prepared row-in row-memcached row-memory', [$databases],
    ],
    'row_miss' => [
        'Rows: a miss', 'one of 25,000 rows that the store does not have', 'rows', new RowQuery('miss'),
        'row-prepared row-statement row-text row-memcached row-memory', [$databases],
    ],
    'row_update' => [
        'Rows: an UPDATE', 'an UPDATE of a row by its key; every 65th is read back', 'rows', new RowQuery('update'),
        'row-prepared row-tracked row-memcached row-memory', [$databases],
    ],
    'statement' => [
        'Tracked connections',
        'a SELECT by key in a render or not, or an UPDATE, by a connection that Larder sees or not', 'statements',
        new TrackedStatements(), 'connection-plain connection-control connection-tracked',
        [[
            'statement' => ['unrecorded', 'known', 'literals', 'new', 'update'],
            'database' => ['sqlite', 'mariadb', 'postgresql'],
            'workers' => 1,
        ]],
    ],
    'sessions' => [
        'Sessions over nginx and php-fpm', 'a request that begins a session, counts in it and writes it', 'requests',
        new Sessions(),
        'session-memcached session-larder-memcached session-memcache session-larder-memcache session-handler',
        [['connections' => 50, 'session' => ['apart', 'one']]],
    ],
    'follow_lag' => [
        'Follower: lag', 'a change of a row, until the page that was made from it is gone', 'changes',
        new Following(false), 'follower',
        [['changes' => 300, 'rate' => [0, 1000], 'database' => ['mariadb', 'postgresql']]],
        'blocks' => 1,
    ],
    'follow_events' => [
        'Follower: events', 'a row event that the follower has worked off', 'events', new Following(true), 'follower',
        [['events' => 1_000_000, 'seconds' => 600, 'database' => ['mariadb', 'postgresql']]],
        'blocks' => 1,
    ],
];
