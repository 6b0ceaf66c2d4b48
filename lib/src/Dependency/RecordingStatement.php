<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Iterator;
use PDO;
use PDOStatement;
use stdClass;

/** @internal A statement of a RecordingPdo. Each run of it is recorded, and so is it if a render fetches older rows. */
final class RecordingStatement extends PDOStatement
{
    private ?Recorder $recorder = null;

    /** @var (Closure(string, Closure(): bool, PDOStatement): bool)|null */
    private ?Closure $around = null;

    private int $started = 0;

    protected function __construct() {}

    /** @param Closure(string, Closure(): bool, PDOStatement): bool $around runs it, and keeps the connection */
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

        return ($this->around)($this->queryString, fn(): bool => parent::execute($params), $this);
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
}
