<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use mysqli;
use mysqli_result;
use Throwable;

/**
 * @internal A statement of a RecordingMysqli. Each run of it is recorded, and so is it if a render fetches rows of an
 * older one.
 */
final class RecordingMysqliStatement extends BoundMysqliStatement implements RunningStatement
{
    private string $text = '';

    private int $started = 0;

    /** Rows of a statement that writes. Other statements could not run before they are read. */
    private ?mysqli_result $result = null;

    /** @param Closure(string, Closure(): bool, self): bool $around runs it, and keeps the connection */
    public function __construct(
        mysqli $connection,
        ?string $query,
        private readonly Recorder $recorder,
        private readonly Closure $around,
    ) {
        parent::__construct($connection);
        $this->started = $recorder->started();
        if ($query !== null) {
            $this->prepare($query);
        }
    }

    public function prepare(string $query): bool
    {
        $this->text = $query;
        $this->bound = [];

        return $this->noted(fn(): bool => parent::prepare($query));
    }

    /** @param array<array-key, mixed>|null $params */
    public function execute(?array $params = null): bool
    {
        $this->started = $this->recorder->started();
        $this->result = null;
        $before = $this->bound;
        if ($params !== null) {
            $this->bound = [];
            foreach (array_values($params) as $number => $value) {
                $this->bound[$number + 1] = [$value, 's'];
            }
        }
        try {
            return ($this->around)($this->text, function () use ($params): bool {
                $isDone = parent::execute($params);
                if ($isDone && $this->field_count > 0 && $this->writes()) {
                    $result = parent::get_result();
                    $this->result = $result === false ? null : $result;
                    // Some failures are told behind the first rows.
                    $isDone = $result !== false;
                }

                return $isDone;
            }, $this);
        } finally {
            $this->bound = $before;
        }
    }

    public function sent(int $position, ?string $name): ?array
    {
        [$value, $type] = $this->bound[$position] ?? [[], ''];

        return match (true) {
            $value === null => [null],
            !\is_scalar($value) => null,
            $type === 'i' && (\is_int($value) || \is_bool($value) || (string) (int) $value === $value)
                => [(int) $value],
            $type === 's' => [(string) $value],
            default => null,
        };
    }

    public function rowCount(): int
    {
        return (int) $this->affected_rows;
    }

    public function fetch(): ?bool
    {
        $this->recorder->fetched($this->started);
        if ($this->result === null) {
            return $this->noted(fn(): ?bool => parent::fetch());
        }
        $row = $this->result->fetch_row();
        if (!\is_array($row)) {
            return null;
        }
        $this->give(array_values($row));

        return true;
    }

    public function free_result(): void
    {
        $this->result = null;
        parent::free_result();
    }

    public function get_result(): mysqli_result|false
    {
        $this->recorder->fetched($this->started);
        $result = $this->result;
        $this->result = null;

        return $result ?? $this->noted(fn(): mysqli_result|false => parent::get_result());
    }

    public function store_result(): bool
    {
        $this->recorder->fetched($this->started);

        return $this->result !== null || $this->noted(fn(): bool => parent::store_result());
    }

    public function next_result(): bool
    {
        $this->recorder->fetched($this->started);

        return $this->noted(fn(): bool => parent::next_result());
    }

    /**
     * Runs what asks the server beside execute(), and notes that it failed.
     *
     * @template T
     *
     * @param Closure(): T $ask
     *
     * @return T
     */
    private function noted(Closure $ask): mixed
    {
        try {
            $made = $ask();
        } catch (Throwable $exception) {
            $this->recorder->failed($exception);
            throw $exception;
        }
        if ($made === false && $this->errno !== 0) {
            $this->recorder->failed($this->sqlstate);
        }

        return $made;
    }

    private function writes(): bool
    {
        return !$this->recorder->isPlain($this->text) && $this->recorder->parsed($this->text)->writes !== [];
    }
}
