<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Unsuited;
use ReflectionClass;
use RuntimeException;
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
        $known = $thrown instanceof WrongReply || $thrown instanceof NotApplicable || $thrown instanceof Unsuited || $thrown instanceof CrewFailed;

        return new self($thrown::class, ($known ? '' : (new ReflectionClass($thrown))->getShortName() . ': ') . $thrown->getMessage());
    }

    /** Wrong replies and what does not apply as such, all else as a failure in the words of whoever reads it. */
    public function exception(string $where = ''): WrongReply|NotApplicable|RuntimeException
    {
        return match ($this->class) {
            WrongReply::class => new WrongReply($this->message),
            NotApplicable::class, Unsuited::class => new NotApplicable($this->message),
            default => new CrewFailed($where . $this->message),
        };
    }
}
