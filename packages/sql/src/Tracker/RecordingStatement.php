<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Generator;
use Iterator;
use PDO;
use PDOStatement;
use stdClass;
use Throwable;

/** @internal A statement of a RecordingPdo. Each run of it is recorded, and so is it if a render fetches older rows. */
final class RecordingStatement extends PDOStatement implements RunningStatement
{
    private ?Tracker $tracker = null;

    private ?Recorder $recorder = null;

    /** How many recordings were started when it ran last. */
    private int $started = 0;

    /** @var array<array-key, array{mixed, int}> value and type, by position or by `:name` in lower case */
    private array $bound = [];

    /** @var array<array-key, mixed>|null what execute() got in place of them */
    private ?array $given = null;

    /** It is of this connection, which PDO keeps as long as it has a statement. */
    public function belongsTo(Tracker $tracker, Recorder $recorder, int $started): void
    {
        $this->tracker = $tracker;
        $this->recorder = $recorder;
        $this->started = $started;
    }

    /** @param array<array-key, mixed>|null $params */
    public function execute(?array $params = null): bool
    {
        if ($this->recorder === null || $this->tracker === null) {
            return parent::execute($params);
        }
        $this->started = $this->recorder->started();
        if ($params !== null) {
            // PDO forgets what was bound before, but the database may still have it: nobody knows.
            $this->bound = [];
            $this->given = $params;
        }
        if (!$this->tracker->passes($this->queryString, $this)) {
            if (PHP_VERSION_ID >= 80400) {
                // As execute() does there: what is left of the one before would refuse our own questions.
                parent::closeCursor();
            }

            return $this->tracker->around($this->queryString, fn(): bool => parent::execute($params), $this);
        }
        try {
            $isDone = parent::execute($params);
        } catch (Throwable $exception) {
            $this->tracker->failed($exception);
            throw $exception;
        }
        $this->tracker->passed($this);

        return $isDone;
    }

    public function bindValue(int|string $param, mixed $value, int $type = PDO::PARAM_STR): bool
    {
        $this->bindGiven();
        unset($this->bound[self::name($param)]);
        $isBound = parent::bindValue($param, $value, $type);
        $this->bound[self::name($param)] = [$value, $type];

        return $isBound;
    }

    public function bindParam(
        int|string $param,
        mixed &$var,
        int $type = PDO::PARAM_STR,
        int $maxLength = 0,
        mixed $driverOptions = null,
    ): bool {
        $this->bindGiven();
        unset($this->bound[self::name($param)]);
        $isBound = parent::bindParam($param, $var, $type, $maxLength, $driverOptions);
        $this->bound[self::name($param)] = [&$var, $type];

        return $isBound;
    }

    /** The value of a parameter: of a position from 1 on, or of a `:name` in lower case. */
    public function bound(int|string $param): mixed
    {
        $this->bindGiven();

        return $this->bound[self::name($param)][0] ?? null;
    }

    public function sent(int $position, ?string $name): ?array
    {
        if ($this->given !== null && $name === null) {
            $value = $this->given[$position - 1] ?? null;
            if (\is_scalar($value)) {
                return [(string) $value];
            }

            return $value === null && \array_key_exists($position - 1, $this->given) ? [null] : null;
        }
        $this->bindGiven();
        $byPosition = $this->bound[$position] ?? null;
        $byName = $name === null ? null : $this->bound[$name] ?? null;
        $isOne = $byPosition === null || $byName === null;
        [$value, $type] = $isOne ? $byPosition ?? $byName ?? [[], PDO::PARAM_STR] : [[], PDO::PARAM_STR];

        return match (true) {
            $value === null => [null],
            !\is_scalar($value) => null,
            $type === PDO::PARAM_INT, $type === PDO::PARAM_BOOL && \is_bool($value) => [(int) $value],
            $type === PDO::PARAM_STR => [(string) $value],
            default => null,
        };
    }

    public function fetch(
        int $mode = PDO::FETCH_DEFAULT,
        int $cursorOrientation = PDO::FETCH_ORI_NEXT,
        int $cursorOffset = 0,
    ): mixed {
        $this->recorder?->fetched($this->started);
        try {
            return parent::fetch($mode, $cursorOrientation, $cursorOffset);
        } catch (Throwable $exception) {
            $this->tracker?->failed($exception);
            throw $exception;
        }
    }

    /** @return array<array-key, mixed> */
    public function fetchAll(int $mode = PDO::FETCH_DEFAULT, mixed ...$args): array
    {
        $this->recorder?->fetched($this->started);
        try {
            $rows = parent::fetchAll($mode, ...$args);
        } catch (Throwable $exception) {
            $this->tracker?->failed($exception);
            throw $exception;
        }
        // PDO returns the rows before the one that failed, and throws nothing.
        $state = (string) $this->errorCode();
        if ($state !== PDO::ERR_NONE) {
            $this->recorder?->failed($state);
        }

        return $rows;
    }

    public function fetchColumn(int $column = 0): mixed
    {
        $this->recorder?->fetched($this->started);
        try {
            return parent::fetchColumn($column);
        } catch (Throwable $exception) {
            $this->tracker?->failed($exception);
            throw $exception;
        }
    }

    /**
     * @template T of object
     *
     * @param class-string<T>|null    $class
     * @param array<array-key, mixed> $constructorArgs
     *
     * @return ($class is null ? stdClass|false : T|false)
     */
    public function fetchObject(?string $class = stdClass::class, array $constructorArgs = []): object|false
    {
        $this->recorder?->fetched($this->started);
        try {
            return parent::fetchObject($class ?? stdClass::class, $constructorArgs);
        } catch (Throwable $exception) {
            $this->tracker?->failed($exception);
            throw $exception;
        }
    }

    public function getIterator(): Iterator
    {
        $this->recorder?->fetched($this->started);
        try {
            $rows = parent::getIterator();

            return $this->recorder?->innermost === null ? $rows : $this->fetched($rows);
        } catch (Throwable $exception) {
            $this->tracker?->failed($exception);
            throw $exception;
        }
    }

    public function nextRowset(): bool
    {
        $this->recorder?->fetched($this->started);
        try {
            return parent::nextRowset();
        } catch (Throwable $exception) {
            $this->tracker?->failed($exception);
            throw $exception;
        }
    }

    /** @return Generator<mixed, mixed> of rows, each of which may fail */
    private function fetched(Iterator $rows): Generator
    {
        try {
            yield from $rows;
        } catch (Throwable $exception) {
            $this->tracker?->failed($exception);
            throw $exception;
        }
    }

    private function bindGiven(): void
    {
        foreach ($this->given ?? [] as $name => $value) {
            $this->bound[\is_int($name) ? $name + 1 : self::name($name)] = [$value, PDO::PARAM_STR];
        }
        $this->given = null;
    }

    private static function name(int|string $param): int|string
    {
        return \is_int($param) ? $param : ':' . strtolower(ltrim($param, ':'));
    }
}
