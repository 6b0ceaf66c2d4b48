<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Iterator;
use PDO;
use PDOStatement;
use stdClass;

/** @internal A statement of a RecordingPdo. Each run of it is recorded, and so is it if a render fetches older rows. */
final class RecordingStatement extends PDOStatement implements RunningStatement
{
    private ?Recorder $recorder = null;

    /** @var (Closure(string, Closure(): bool, self): bool)|null */
    private ?Closure $around = null;

    private int $started = 0;

    /** @var array<array-key, array{mixed, int}> value and type, by position or by `:name` in lower case */
    private array $bound = [];

    protected function __construct() {}

    /** @param Closure(string, Closure(): bool, self): bool $around runs it, and keeps the connection */
    public function belongsTo(Recorder $recorder, Closure $around): void
    {
        $this->recorder = $recorder;
        $this->around = $around;
        $this->started = $recorder->started();
    }

    /** @param array<array-key, mixed>|null $params */
    public function execute(?array $params = null): bool
    {
        if ($this->recorder === null || $this->around === null) {
            return parent::execute($params);
        }
        $this->started = $this->recorder->started();
        // PDO forgets what was bound before, but the database may still have it: nobody knows.
        $this->bound = $params === null ? $this->bound : [];
        foreach ($params ?? [] as $name => $value) {
            $this->bound[\is_int($name) ? $name + 1 : self::name($name)] = [$value, PDO::PARAM_STR];
        }

        return ($this->around)($this->queryString, fn(): bool => parent::execute($params), $this);
    }

    public function bindValue(int|string $param, mixed $value, int $type = PDO::PARAM_STR): bool
    {
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
        unset($this->bound[self::name($param)]);
        $isBound = parent::bindParam($param, $var, $type, $maxLength, $driverOptions);
        $this->bound[self::name($param)] = [&$var, $type];

        return $isBound;
    }

    /** The value of a parameter: of a position from 1 on, or of a `:name` in lower case. */
    public function bound(int|string $param): mixed
    {
        return $this->bound[self::name($param)][0] ?? null;
    }

    public function sent(int $position, ?string $name): ?array
    {
        $bound = array_filter([$this->bound[$position] ?? null, $this->bound[self::name($name ?? '')] ?? null]);
        [$value, $type] = \count($bound) === 1 ? array_values($bound)[0] : [[], PDO::PARAM_STR];

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

        return parent::fetch($mode, $cursorOrientation, $cursorOffset);
    }

    /** @return array<array-key, mixed> */
    public function fetchAll(int $mode = PDO::FETCH_DEFAULT, mixed ...$args): array
    {
        $this->recorder?->fetched($this->started);

        return parent::fetchAll($mode, ...$args);
    }

    public function fetchColumn(int $column = 0): mixed
    {
        $this->recorder?->fetched($this->started);

        return parent::fetchColumn($column);
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

        return parent::fetchObject($class ?? stdClass::class, $constructorArgs);
    }

    public function getIterator(): Iterator
    {
        $this->recorder?->fetched($this->started);

        return parent::getIterator();
    }

    private static function name(int|string $param): int|string
    {
        return \is_int($param) ? $param : ':' . strtolower(ltrim($param, ':'));
    }
}
