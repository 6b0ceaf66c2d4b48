<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Larder\Testbed\Server\Endpoint;

/** Where a subject is to work. */
final readonly class Context
{
    /**
     * @param list<Endpoint> $endpoints of the kind that the subject's definition names; as many as the subject shall use (`@2`: two)
     * @param int            $worker    from 0; -1 is the filler, whose writes every worker's reads must find: a subject of which worker i uses
     *                                  instance i mod n writes to all n when it is the filler
     * @param string         $directory of this run, on the disk; subjects that keep files make a directory of their own in it
     * @param string         $prefix    in front of every key, so that a server somebody named with --server keeps its own keys. Steps
     *                                  put it there, subjects do not
     * @param float          $timeout   seconds that any call may take
     */
    public function __construct(
        public array $endpoints,
        public string $directory,
        public int $worker = 0,
        public string $prefix = '',
        public float $timeout = 5.0,
    ) {}
}
