<?php

declare(strict_types=1);

namespace Larder\Follow;

/**
 * @internal A place in a database's log, between two transactions.
 *
 * MariaDB: a file, an offset in it, and the GTID state there, such as `0-1-10436` or `0-1-5,1-2-7`. PostgreSQL: an LSN
 * as `offset`, the name of the slot as `file`.
 */
final readonly class Position
{
    private const FILE = '/^[\x21-\x7e]{1,255}$/D';

    private const GTIDS = '/^(?:\d{1,10}-\d{1,10}-\d{1,20}(?:,(?!$)|$))*$/D';

    public function __construct(
        public string $file,
        public int $offset,
        public string $gtids = '',
    ) {}

    /** @return self|null null: it is none */
    public static function of(mixed $stored): ?self
    {
        if (!\is_array($stored) || !isset($stored['file'], $stored['offset'])) {
            return null;
        }
        ['file' => $file, 'offset' => $offset] = $stored;
        $gtids = $stored['gtids'] ?? '';

        return \is_string($file) && preg_match(self::FILE, $file) === 1 && \is_int($offset) && $offset >= 0
            && \is_string($gtids) && \strlen($gtids) < 4096 && preg_match(self::GTIDS, $gtids) === 1
            ? new self($file, $offset, $gtids)
            : null;
    }

    /** @return array{file: string, offset: int, gtids: string} for of() */
    public function stored(): array
    {
        return ['file' => $this->file, 'offset' => $this->offset, 'gtids' => $this->gtids];
    }

    /** Whether this is at the other one or behind it, where files are numbered and of one server. */
    public function hasReached(self $other): bool
    {
        return [self::number($this->file), $this->offset] >= [self::number($other->file), $other->offset];
    }

    public function text(): string
    {
        return $this->file . ':' . $this->offset . ($this->gtids === '' ? '' : ' (' . $this->gtids . ')');
    }

    private static function number(string $file): int
    {
        return (int) substr((string) strrchr($file, '.'), 1);
    }
}
