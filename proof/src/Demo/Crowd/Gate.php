<?php

declare(strict_types=1);

namespace Larder\Proof\Demo\Crowd;

use RuntimeException;

/** Where visitors wait for each other, and where what they did is noted. */
final class Gate
{
    public const NOTES = 'queries';

    private const ARRIVED = 'arrived';
    private const LOCK = 'gate';

    /** @var resource|null while it is closed */
    private mixed $closed = null;

    public function __construct(private readonly string $directory) {}

    /** With nothing noted. */
    public function close(): void
    {
        foreach ([self::NOTES, self::ARRIVED] as $name) {
            file_put_contents($this->directory . '/' . $name, '');
            chmod($this->directory . '/' . $name, 0o666);
        }
        $this->closed ??= $this->lock(LOCK_EX);
    }

    public function open(): void
    {
        $this->closed = null;
    }

    /** How many wait. */
    public function arrived(): int
    {
        clearstatcache(true, $this->directory . '/' . self::ARRIVED);

        return (int) filesize($this->directory . '/' . self::ARRIVED);
    }

    public function pass(): void
    {
        file_put_contents($this->directory . '/' . self::ARRIVED, '.', FILE_APPEND);
        $this->lock(LOCK_SH);
    }

    /** @return array<int, int> how often each query reached the database, by its number */
    public function queries(): array
    {
        $lines = file($this->directory . '/' . self::NOTES, FILE_IGNORE_NEW_LINES);

        return array_replace(
            array_fill(0, Queries::COUNT, 0),
            array_count_values(array_map(intval(...), $lines === false ? [] : $lines)),
        );
    }

    /**
     * @param LOCK_EX|LOCK_SH $kind
     *
     * @return resource that holds the lock
     */
    private function lock(int $kind): mixed
    {
        $file = @fopen($this->directory . '/' . self::LOCK, $kind === LOCK_EX ? 'c+' : 'r');
        if ($file === false || !flock($file, $kind)) {
            throw new RuntimeException('The gate cannot be locked.');
        }

        return $file;
    }
}
