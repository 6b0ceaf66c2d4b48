<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Result\Published;
use Larder\Testbed\Server\Endpoint;

/**
 * A test the way its source ran it, flaws included, in the source's own layout: for whoever has the source's figures
 * before him.
 */
interface PublishedRun
{
    /** Stable: "set-get". */
    public function name(): string;

    /**
     * @param Closure(string, int): list<Endpoint> $endpoints of as many instances of a Kind's value
     * @param string                               $directory of the run
     * @param Closure(string): void                $progress  told what is being done
     *
     * @throws \Larder\Bench\Exception\WrongReply
     */
    public function run(Closure $endpoints, string $directory, Closure $progress): Published;
}
