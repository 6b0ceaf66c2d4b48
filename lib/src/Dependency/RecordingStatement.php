<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Iterator;
use PDO;
use PDOStatement;

/** @internal A statement of a RecordingPdo. Each run of it is recorded, and so is it if a render fetches older rows. */
final class RecordingStatement extends PDOStatement
{
    private ?RecordingPdo $connection = null;

    private int $started = 0;

    protected function __construct() {}

    /** @param int $started number of recordings that were started when it ran */
    public function belongsTo(RecordingPdo $connection, int $started): void
    {
        $this->connection = $connection;
        $this->started = $started;
    }

    /** @param array<array-key, mixed>|null $params */
    public function execute(?array $params = null): bool
    {
        if ($this->connection === null) {
            return parent::execute($params);
        }
        $this->started = $this->connection->started();

        return $this->connection->around($this->queryString, fn(): bool => parent::execute($params), $this);
    }

    public function fetch(
        int $mode = PDO::FETCH_DEFAULT,
        int $cursorOrientation = PDO::FETCH_ORI_NEXT,
        int $cursorOffset = 0,
    ): mixed {
        $this->connection?->fetched($this->started);

        return parent::fetch($mode, $cursorOrientation, $cursorOffset);
    }

    /** @return array<array-key, mixed> */
    public function fetchAll(int $mode = PDO::FETCH_DEFAULT, mixed ...$args): array
    {
        $this->connection?->fetched($this->started);

        return parent::fetchAll($mode, ...$args);
    }

    public function fetchColumn(int $column = 0): mixed
    {
        $this->connection?->fetched($this->started);

        return parent::fetchColumn($column);
    }

    /**
     * @param class-string|null       $class
     * @param array<array-key, mixed> $constructorArgs
     */
    public function fetchObject(?string $class = 'stdClass', array $constructorArgs = []): object|false
    {
        $this->connection?->fetched($this->started);

        return parent::fetchObject($class, $constructorArgs);
    }

    public function getIterator(): Iterator
    {
        $this->connection?->fetched($this->started);

        return parent::getIterator();
    }
}
