<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use ReflectionClass;
use Throwable;

/** What was thrown, for another process: exceptions themselves may hold what cannot be serialized. */
final readonly class Thrown
{
    private function __construct(
        private string $class,
        private string $message,
    ) {}

    public static function of(Throwable $thrown): self
    {
        $isOurs = $thrown instanceof WrongReply || $thrown instanceof NotApplicable || $thrown instanceof Failed;
        $name = $isOurs ? '' : (new ReflectionClass($thrown))->getShortName() . ': ';

        return new self($thrown::class, $name . $thrown->getMessage());
    }

    /** @param string $where "worker 3: ", in front of the words of a failure */
    public function exception(string $where = ''): WrongReply|NotApplicable|Failed
    {
        return match ($this->class) {
            WrongReply::class => new WrongReply($this->message),
            NotApplicable::class => new NotApplicable($this->message),
            default => new Failed($where . $this->message),
        };
    }
}
