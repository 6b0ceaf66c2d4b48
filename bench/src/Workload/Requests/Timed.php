<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;

/** What php-fpm's only worker is asked for by FastCGI, with nothing in between. */
interface Timed extends Subject
{
    /**
     * Asks once, and checks the answer.
     *
     * @return array{int, float} nanoseconds, and microseconds of the worker's CPU
     *
     * @throws WrongReply
     * @throws Failed
     */
    public function once(Job $job): array;

    /** How many classes of Larder's the worker has loaded at the end of a request; null: it cannot be asked. */
    public function classes(Job $job): ?int;
}
