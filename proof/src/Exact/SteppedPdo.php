<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\Writes;
use PDOStatement;
use Psr\Log\NullLogger;

/** A connection that can be stopped before each of Larder's own statements, and tells why tables change in bulk. */
final class SteppedPdo extends RecordingPdo
{
    /** @var (Closure(): void)|null */
    private ?Closure $step = null;

    /** @param array<int, mixed> $options */
    public function __construct(
        string $dsn,
        Registry $registry,
        private readonly Causes $causes,
        array $options = [],
        ?string $user = null,
        ?string $password = null,
    ) {
        parent::__construct($dsn, $registry, $options, new NullLogger(), $user, $password);
    }

    /** @param (Closure(): void)|null $step */
    public function stepBy(?Closure $step): void
    {
        $this->step = $step;
    }

    public function run(string $sql, array $parameters = []): PDOStatement
    {
        $this->step();

        return parent::run($sql, $parameters);
    }

    public function rows(string $sql, array $parameters = []): array
    {
        $this->step();

        return parent::rows($sql, $parameters);
    }

    /** Asked when all is about to be made known. */
    public function writes(): Writes
    {
        $writes = parent::writes();
        $this->causes->note($writes->causes(), $writes->isAll());

        return $writes;
    }

    private function step(): void
    {
        if ($this->step !== null) {
            ($this->step)();
        }
    }
}
