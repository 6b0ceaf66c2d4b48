<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use mysqli_result;
use mysqli_sql_exception;
use PDOException;

/**
 * @internal Makes the properties of a mysqli say what the application's last statement has answered, though statements
 * of Larder's own ran after it.
 */
final class MysqliAnswers
{
    /** What the application's statement that runs has answered; null: not yet, or it has failed. */
    private ?MysqliAnswer $answer = null;

    /** insert_id of the application's last statement, which one that fails leaves as it is. */
    private int|string $lastInsertId = 0;

    /** Whether a statement of Larder's own ran since then. */
    private bool $isCovered = false;

    /** How many calls are inside each other. */
    private int $depth = 0;

    private bool $hasTables = false;

    public function __construct(private readonly UnfollowedMysqli $own) {}

    /** The session is another one, without the tables. */
    public function forget(): void
    {
        $this->hasTables = false;
    }

    /**
     * Makes the tables by which it answers.
     *
     * @throws PDOException without the right to make them
     */
    public function prepare(): void
    {
        if ($this->hasTables) {
            return;
        }
        $this->cover();
        foreach (MysqliAnswer::TABLES as $sql) {
            $this->own->run($sql, []);
        }
        $this->hasTables = true;
    }

    /** A statement of the application begins. */
    public function begin(): void
    {
        $this->answer = null;
    }

    /** A statement of the application has answered. */
    public function note(MysqliAnswer $answer): void
    {
        $this->answer = $answer;
        $this->lastInsertId = $answer->insertId;
        $this->isCovered = false;
    }

    /** A statement of Larder's own answers. */
    public function cover(): void
    {
        $this->isCovered = true;
    }

    /** How many rows it has changed, or returned. */
    public function affected(): int|string
    {
        return $this->answer->affected ?? 0;
    }

    /** insert_id of the application's statement that runs; null: it has not answered. */
    public function insertId(): int|string|null
    {
        return $this->answer?->insertId;
    }

    /**
     * Runs what the application has called, and answers as mysqli does.
     *
     * @param Closure(): (mysqli_result|bool) $run
     *
     * @throws mysqli_sql_exception
     */
    public function around(Closure $run): mysqli_result|bool
    {
        if ($this->depth > 0) {
            return $run();
        }
        ++$this->depth;
        $this->answer = null;
        $this->isCovered = false;
        try {
            $made = $run();
            if ($this->isCovered) {
                $this->putBack($this->answer);
            }

            return $made;
        } catch (PDOException $exception) {
            $answer = MysqliAnswer::of($exception);
            $previous = $exception->getPrevious();
            $isSeen = $previous instanceof mysqli_sql_exception || $exception->getCode() === MysqliAnswer::SEEN;
            if (!$isSeen) {
                // A statement of Larder's stood for it, and failed. mysqli_report() has not seen that.
                return $this->own->fail($answer);
            }
            if ($this->isCovered) {
                $this->putBack($answer);
            }

            return $previous instanceof mysqli_sql_exception ? throw $previous : false;
        } finally {
            --$this->depth;
        }
    }

    /** Makes the properties say this. */
    public function putBack(?MysqliAnswer $answer): void
    {
        if ($answer === null) {
            return;
        }
        $this->own->silently(function () use ($answer): void {
            if ($answer->errno === 0 && $answer->fields === 0 && !$answer->isNothing()) {
                $this->prepare();
            }
            if ($answer->errno !== 0 && (int) $this->lastInsertId !== 0) {
                $this->putBack(new MysqliAnswer(affected: 1, insertId: $this->lastInsertId));
            }
            $this->own->send($answer->statement());
        });
    }
}
