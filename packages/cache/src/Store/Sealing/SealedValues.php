<?php

declare(strict_types=1);

namespace Larder\Store\Sealing;

use Larder\Exception\UnstorableValue;
use Larder\Store\Classes;
use Larder\Store\ReportedFailures;
use Larder\Store\Seal;
use Larder\Store\Storable;
use Larder\Store\StoredBytes;

/**
 * Seals the values of one namespace, each bound to it and to its key, and opens them again.
 *
 * @internal
 */
final readonly class SealedValues
{
    /** The forms of what is sealed for a client that has none of its own. */
    private const TEXT = 's';
    private const SERIALIZED = 'p';

    /** Of the gates: it is counted in every store, and says only that something has changed. */
    private const COUNTER = "\0c";

    private string $space;

    /**
     * @param 'memcached'|'redis' $servers
     * @param Classes $classes of which values may be
     */
    public function __construct(
        private Seal $seal,
        string $servers,
        string $namespace,
        private ReportedFailures $failures,
        private Classes $classes,
    ) {
        $this->space = \sprintf('larder %s %d:%s ', $servers, \strlen($namespace), $namespace);
    }

    /** Whether a value stands open, for a server that counts. */
    public function isOpen(string $key, mixed $value): bool
    {
        return \is_int($value) && ($this->seal->counters || $key === self::COUNTER);
    }

    /** @param string $before what is to stand in front of it */
    public function sealed(string $key, string $bytes, string $before = ''): string
    {
        return $this->seal->sealed($bytes, $this->space . $key, $before);
    }

    /**
     * @param int $from where it begins
     *
     * @return string|null null: it does not open, which is counted and logged
     */
    public function opened(string $key, string $sealed, int $from, string $server): ?string
    {
        $bytes = $this->seal->opened($sealed, $this->space . $key, $from);

        return $bytes instanceof SealFlaw ? $this->refuse($key, $bytes, $server) : $bytes;
    }

    public function refuse(string $key, SealFlaw $flaw, string $server): null
    {
        $name = addcslashes($key, "\0..\37\177");
        $this->failures->add($flaw->name, $server, "\"$name\" holds " . $flaw->sentence());

        return null;
    }

    /**
     * For a client that stores strings and integers as they are.
     *
     * @throws UnstorableValue
     */
    public function written(string $key, mixed $value): int|string
    {
        return match (true) {
            \is_int($value) && $this->isOpen($key, $value) => $value,
            \is_string($value) => $this->sealed($key, self::TEXT . $value),
            default => $this->sealed($key, self::SERIALIZED . Storable::serialized($value, $this->classes)),
        };
    }

    /**
     * What such a client found.
     *
     * @param callable(): string $server asked for only to be logged
     *
     * @return StoredBytes|null null: it is a miss, which is counted and logged
     */
    public function read(string $key, mixed $stored, callable $server): ?StoredBytes
    {
        if ($this->isOpen($key, $stored)) {
            return StoredBytes::value($stored);
        }
        $bytes = \is_string($stored)
            ? $this->seal->opened($stored, $this->space . $key)
            : SealFlaw::Unsealed;
        if ($bytes instanceof SealFlaw) {
            return $this->refuse($key, $bytes, $server());
        }
        $read = $bytes[0] === self::TEXT
            ? StoredBytes::value(substr($bytes, 1))
            : StoredBytes::read(substr($bytes, 1), $this->classes);
        if ($read->flaw !== null) {
            $this->failures->unreadable($key, $server(), $read);

            return null;
        }

        return $read;
    }
}
