<?php

declare(strict_types=1);

use Larder\Bench\Workload\Code\FirstRequests;
use Larder\Bench\Workload\Code\LoadingFiles;
use Larder\Bench\Workload\Code\Switching;
use Larder\Bench\Workload\Published\LoadedFiles;

// B4: the code of a program out of memcached, or from files; and releases of it.

return [
    'code_files' => [
        'B4 500 files of code', 'a file of the 500 that a fresh process loads', 'files', new LoadingFiles(),
        'code-none code-include code-preload code-release code-pool-1 code-pool-10 code-pool-50 code-pool-250 '
            . 'code-pool-500',
        [['process' => ['fresh', 'opcache', 'slow']], ['process' => 'fresh', 'rtt' => 0.2]],
        'quick' => [['process' => 'opcache']],
        'quickSubjects' => 'code-none code-include code-release code-pool-1 code-pool-250',
        'published' => static fn(): array => [new LoadedFiles()],
    ],
    'code_first' => [
        'The first request of a release',
        'the first request of a fresh php-fpm that uses all classes, or what comes before it', 'times',
        new FirstRequests(),
        'release-local release-pool release-warm release-loader release-next release-pull release-files',
        [['classes' => 2000]],
    ],
    'code_switch' => [
        'Requests while releases are switched',
        'a page of 50 classes for one of eight readers, whatever release is the current one', 'requests',
        new Switching(), 'switch-none switch-five', [[]],
    ],
];
