<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Larder\Bench\Exception\Failed;
use Larder\Testbed\Server\Endpoint;

/** What a subject works with: servers, a directory, its worker's number. */
final readonly class Context
{
    /**
     * @param list<Endpoint> $endpoints of the kind that the subject's definition names, as many as the subject shall
     *     use (`@2`: two)
     * @param string $directory of this run, on the disk; a subject that keeps files makes its own directory in it
     * @param int            $worker    from 0; -1: the process that fills the stores
     * @param string $prefix of every key, so that a user's own server keeps its own keys; steps add it, subjects do not
     * @param float          $timeout   seconds that any call may take
     */
    public function __construct(
        public array $endpoints,
        public string $directory,
        public int $worker = 0,
        public string $prefix = '',
        public float $timeout = 5.0,
    ) {}

    /** The server of this worker where each server holds all data: its number modulo theirs. */
    public function serverOfWorker(): Endpoint
    {
        return $this->endpoints === []
            ? throw Failed::connecting('a server', 'none is there')
            : $this->endpoints[max(0, $this->worker) % \count($this->endpoints)];
    }
}
