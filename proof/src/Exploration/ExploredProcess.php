<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Fiber;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Schema\SqliteDialect;
use LogicException;
use PDOException;
use Throwable;

/**
 * One renderer, writer or flusher: a fiber that suspends before each step.
 *
 * What it has observed is kept as text. The code under test is deterministic, so position and variables of a process
 * follow from that text. Two states with equal texts and an equal storage have the same future.
 */
final class ExploredProcess
{
    /** What MariaDB says of a lock that another one has. */
    private const LOCK_WAIT = 1205;

    /** @var Fiber<mixed, Event, void, string>|null */
    private ?Fiber $fiber = null;

    private ?string $next = null;

    private bool $dead = false;

    private bool $blocked = false;

    private bool $begun = false;

    private string $observed = '';

    public function __construct(
        public readonly string $name,
        public readonly DraftNames $drafts,
    ) {}

    /** @param Closure(): void $body */
    public function start(Closure $body): void
    {
        $this->fiber = new Fiber($body);
        $this->stand($this->fiber->start());
    }

    /** The step that it stands before; null: it has ended or died. */
    public function next(): ?string
    {
        return $this->next;
    }

    /** @return bool false: it needs a lock that another one holds, and nothing happened */
    public function move(Event $event): bool
    {
        if ($this->fiber === null || $this->next === null) {
            throw new LogicException(\sprintf('%s has ended and cannot move.', $this->name));
        }
        $this->blocked = false;
        $this->stand($this->fiber->resume($event));

        return !$this->blocked;
    }

    /** Marks it as dead. Its fiber stays suspended, so that no `finally` and no destructor runs. */
    public function die(): void
    {
        $this->dead = true;
        $this->next = null;
    }

    /**
     * Unwinds the fiber after the run. Its `catch` and `finally` blocks run now, and every call that they make throws.
     */
    public function bury(): void
    {
        $this->die();
        try {
            if ($this->fiber?->isSuspended() === true) {
                $this->fiber->throw(new ProcessDied());
            }
        } catch (ProcessDied|PDOException) {
            // The PDOException comes from a read transaction that ended with its process.
        }
        $this->fiber = null;
    }

    /** Whether it has asked for the write lock, so that others may learn from it in the database. */
    public function hasBegun(): bool
    {
        return $this->begun;
    }

    public function isDead(): bool
    {
        return $this->dead;
    }

    /** What its future depends on besides the storage. All processes that have ended are equal. */
    public function text(): string
    {
        return $this->next === null ? 'ended' : $this->observed . "\n" . $this->next;
    }

    /**
     * Called by what the process uses, inside its fiber.
     *
     * @template T
     *
     * @param Closure(): T $do
     *
     * @return T
     */
    public function step(string $step, Closure $do): mixed
    {
        do {
            $this->live();
            $event = Fiber::suspend($step);
            $this->live();
            if ($event === Event::Fail) {
                $this->observe($step . ' failed');
                throw PageStoreFailed::during('', $step, 'the explorer let it fail');
            }
            try {
                $this->begun = $this->begun || str_starts_with($step, 'BEGIN');
                $result = $do();
                $this->observe($step . ' ' . (\is_object($result) ? '' : json_encode($result, JSON_THROW_ON_ERROR)));

                return $result;
            } catch (Throwable $exception) {
                $this->blocked = $event !== Event::GiveUp
                    && $exception instanceof PDOException
                    && $this->isLocked($exception);
            }
        } while ($this->blocked);
        $this->observe($step . ' threw ' . $exception::class);
        throw $exception;
    }

    /**
     * As step(), where what goes wrong is for the caller to show.
     *
     * @param Closure(): void $do
     *
     * @return Event what happened; Step: $do was done
     */
    public function await(string $step, Closure $do): Event
    {
        $this->live();
        $event = Fiber::suspend($step);
        $this->live();
        if (!$event instanceof Event) {
            throw new LogicException('A process is moved by an event.');
        }
        if ($event === Event::Step) {
            $do();
        } else {
            $this->observe($step . ' ' . $event->value);
        }

        return $event;
    }

    public function observe(string $text): void
    {
        $this->live();
        $this->observed .= "\n" . $this->drafts->named($text);
    }

    /** @throws ProcessDied */
    public function live(): void
    {
        if ($this->dead) {
            throw new ProcessDied();
        }
    }

    private function isLocked(PDOException $exception): bool
    {
        return ($exception->errorInfo[1] ?? null) === self::LOCK_WAIT || (new SqliteDialect())->isBusy($exception);
    }

    private function stand(mixed $step): void
    {
        $this->next = \is_string($step) ? $step : null;
    }
}
