<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Published;

use Closure;
use Larder\Bench\Result\Published;
use Larder\Testbed\Server\Endpoint;

/**
 * A test as its source ran it, flaws included, and in the layout of the source, so that a reader can compare the two.
 */
interface PublishedRun
{
    /** A stable name, such as "set-get". */
    public function name(): string;

    /**
     * @param Closure(string, int): list<Endpoint> $endpoints gets the value of a Kind and a number of instances
     * @param string                               $directory of the run
     * @param Closure(string): void                $progress  gets a message before each step
     *
     * @throws \Larder\Bench\Exception\WrongReply
     */
    public function run(Closure $endpoints, string $directory, Closure $progress): Published;
}
