<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use LogicException;
use PDO;
use PDOStatement;
use SensitiveParameter;

/**
 * A real connection to MariaDB, with Larder's own second one. Each statement of both is a step.
 *
 * Some are none: what the session alone is set to, what begins a transaction without a snapshot, the reads of a
 * snapshot, which its beginning fixes, and what the second connection writes, which nobody sees before its COMMIT. A
 * lock that another one has blocks at once; the explorer chooses between a later step and Event::GiveUp.
 */
final class DrivenMariaDb extends RecordingPdo implements DrivenConnection
{
    private ?ExploredProcess $process = null;

    private ?DrivenSecondPdo $other = null;

    private bool $fixed = false;

    /** Whether a step is being done. What it is made of is none. */
    private bool $stepping = false;

    private bool $everyStatement = false;

    public function __construct(
        private readonly string $name,
        Registry $registry,
        private readonly string $user,
        #[SensitiveParameter]
        private readonly string $password,
    ) {
        parent::__construct($name, $registry, user: $user, password: $password);
        PDO::exec('SET SESSION innodb_lock_wait_timeout = 0, SESSION lock_wait_timeout = 1');
    }

    /** Statements that are sent together run one after the other, so each is a step. */
    protected function dialectOf(string $driver): MariaDbDialect
    {
        return new MariaDbDialect(false);
    }

    public function drive(ExploredProcess $process, bool $everyStatement): void
    {
        $this->process = $process;
        $this->everyStatement = $everyStatement;
        $this->fixed = $this->stepping = false;
    }

    public function vanish(): void
    {
        $this->stepping = true;
        if (parent::inTransaction()) {
            parent::rollBack();
        } else {
            PDO::exec('ROLLBACK');
        }
        $this->other?->giveBack();
        $this->stepping = false;
    }

    /** @return Closure(): PDO the second connection, of the same process */
    public function beside(): Closure
    {
        return fn(): PDO => $this->other = new DrivenSecondPdo($this, $this->name, $this->user, $this->password);
    }

    public function run(string $sql, array $parameters = []): PDOStatement
    {
        $this->name($sql, $parameters);

        return $this->step($sql, fn(): PDOStatement => parent::run($sql, $parameters));
    }

    /**
     * A statement of Larder's own that begins or ends a transaction.
     *
     * @param Closure(): (int|false)                                     $do
     * @param Closure(string): list<array<string, scalar|null>> $see what a query gives
     */
    public function sent(string $sql, Closure $do, Closure $see): int|false
    {
        $isSnapshot = str_contains($sql, 'CONSISTENT SNAPSHOT');
        $sent = $this->step($sql, function () use ($do, $see, $isSnapshot): int|false {
            $sent = $do();
            if ($isSnapshot) {
                foreach (['news', 'larder_ledger', 'larder_raise'] as $table) {
                    $this->process()->observe(json_encode($see('SELECT * FROM ' . $table), JSON_THROW_ON_ERROR));
                }
            }

            return $sent;
        });
        $this->fixed = $isSnapshot;

        return $sent;
    }

    /** Whether what the second connection writes in a transaction is a step. */
    public function stepsWrites(): bool
    {
        return $this->everyStatement;
    }

    public function process(): ExploredProcess
    {
        return $this->process ?? throw new LogicException('drive() comes first.');
    }

    /**
     * Tells the process the random name of a draft.
     *
     * @param array<array-key, mixed> $parameters
     */
    public function name(string $sql, array $parameters): void
    {
        $draft = $parameters[1] ?? null;
        if (str_starts_with($sql, 'INSERT INTO larder_page ') && \is_string($draft)) {
            $this->process()->drafts->made($this->process()->name, $draft);
        }
    }

    /**
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    public function step(string $sql, Closure $do): mixed
    {
        $this->process()->live();

        $isEnd = str_starts_with($sql, 'COMMIT') || str_starts_with($sql, 'ROLLBACK');
        if ($this->stepping || ($this->fixed && !$isEnd)) {
            return $do();
        }
        if ($isEnd) {
            $this->fixed = false;
        }

        return $this->process()->step((string) preg_replace('/\s+/', ' ', $sql), function () use ($do): mixed {
            $this->stepping = true;
            try {
                return $do();
            } finally {
                $this->stepping = false;
            }
        });
    }

    protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
    {
        return new DrivenServerStatements($this, $this->dialect(), $state, $several, $open);
    }
}
