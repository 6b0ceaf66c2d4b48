<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Closure;
use Larder\Sql\Ledger\RegisteredPages;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use PDOStatement;
use Psr\Log\NullLogger;

/** A connection that can be stopped before each of Larder's own statements, and tells why tables change in bulk. */
final class SteppedPdo extends RecordingPdo
{
    private readonly Pace $pace;

    /** @param array<int, mixed> $options */
    public function __construct(
        string $dsn,
        Registry $registry,
        private readonly Causes $causes,
        array $options = [],
        ?string $user = null,
        ?string $password = null,
    ) {
        $this->pace = new Pace();
        parent::__construct($dsn, $registry, $options, new NullLogger(), $user, $password);
    }

    /** @param (Closure(): void)|null $step */
    public function stepBy(?Closure $step): void
    {
        $this->pace->stop = $step;
    }

    /** Makes known to a ledger what is written, and why. */
    public function follow(RegisteredPages $pages, string $release, int $slots): void
    {
        $this->tracker()->announceBy(CountedAnnouncer::of($pages, $release, $slots, $this->causes));
    }

    public function run(string $sql, array $parameters = []): PDOStatement
    {
        $this->pace->step();

        return parent::run($sql, $parameters);
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        return new SteppedStatements($this, $this->dialect(), $state, $several, $open, $this->pace);
    }
}
