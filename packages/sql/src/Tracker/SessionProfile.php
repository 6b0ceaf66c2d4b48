<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;

/**
 * @internal The profile of a session.
 *
 * Nobody asks the server for it: the same account that has set the same, in the same order, has the same session. A
 * statement that may have set something else, or whose SET a rollback may take back, leaves the connection without a
 * profile.
 */
final class SessionProfile implements Profile
{
    private string $set = '';

    private bool $isKnown = true;

    private ?string $text = null;

    /**
     * @param Closure(): string $account another one for another database or user
     * @param Closure(): bool   $ask     asks the server, if a statement may have changed it, what the session is like,
     *     and whether it is as methods left it
     */
    public function __construct(
        private readonly TransactionState $transaction,
        private readonly Recorder $recorder,
        private readonly Closure $account,
        private readonly Closure $ask,
    ) {}

    public function present(): ?string
    {
        $isOther = $this->transaction->isElsewhere || $this->transaction->isImplicit;

        return !$this->isKnown || $isOther || $this->transaction->open || $this->recorder->innermost !== null
            ? null
            : $this->text ??= hash('xxh128', ($this->account)() . $this->set);
    }

    public function asked(): ?string
    {
        return ($this->ask)() ? $this->present() : null;
    }

    /** The account may be another one. */
    public function asksAgain(): void
    {
        $this->text = null;
    }

    public function isLost(): void
    {
        $this->isKnown = false;
    }

    /** A statement that may not only read is about to run. */
    public function before(Statement $parsed, string $sql): void
    {
        $isLost = match ($parsed->verb) {
            'session' => $this->transaction->open,
            'autocommit', 'temporary', 'lock tables', '' => true,
            'gate' => preg_match('/^\s*(?:create|alter|drop|truncate|rename)\b[^;]*$/i', $sql) !== 1,
            'select', 'with', 'values' => $parsed->writes !== [],
            default => false,
        };
        if ($isLost) {
            $this->isLost();
        } elseif ($parsed->verb === 'session') {
            $this->set = hash('xxh128', $this->set . "\0" . trim($sql));
            $this->text = null;
        }
    }
}
