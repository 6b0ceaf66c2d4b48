<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Closure;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Versions;

/** Asks for values, and looks whether they are as new as what was committed before it asked. */
final class Reader
{
    /** As many findings of one reader say it. */
    private const ENOUGH = 5;

    private readonly Cache $cache;
    private readonly Versions $versions;
    private readonly RecordingPdo $connection;
    private readonly Score $score;
    private int $made = 0;
    private int $found = 0;

    public function __construct(private readonly Slice $slice, private readonly int $seat)
    {
        $this->score = $slice->score;
        $this->connection = $slice->database->open();
        $store = $slice->shelf->open($seat);
        $versions = $slice->versions($store, $this->connection);
        $this->versions = $slice->broken === Broken::Order ? new LateVersions($versions) : $versions;
        $this->cache = new Cache($store, $this->versions, new Settings(ttl: 3600.0, lease: 1.0, wait: 0.05));
    }

    public function work(): void
    {
        while (!$this->slice->isOver()) {
            $row = $this->score->anyRow();
            $next = ($row + 1) % $this->score->rows;
            if (mt_rand(1, 8) === 1 && !$this->slice->setting->isPlain($row) && !$this->slice->setting->isPlain($next)) {
                $this->look([$row, $next], fn(): array => $this->cache->remember("pair $row", fn(): array => [$this->value($row), $this->value($next)]));
            } else {
                $this->look([$row], fn(): array => [$this->value($row)]);
            }
        }
    }

    /**
     * @param list<int>            $rows
     * @param Closure(): list<int> $read their versions
     */
    private function look(array $rows, Closure $read): void
    {
        $oldest = array_map($this->score->committed(...), $rows);
        $begin = (int) hrtime(true);
        $this->made = 0;
        $versions = $read();
        $took = (int) hrtime(true) - $begin;
        $this->score->add($this->seat, Count::Reads);
        if ($this->made === 0) {
            $this->score->add($this->seat, Count::Hits);
        }
        foreach ($rows as $i => $row) {
            if ($versions[$i] < $oldest[$i]) {
                $this->old($row, $versions[$i], $oldest[$i], $begin, $took);
            }
        }
    }

    private function value(int $row): int
    {
        if ($this->slice->setting->isPlain($row)) {
            return $this->cache->remember("plain $row", fn(): array => self::large($this->read($row)))[0];
        }
        [$version] = match ($row % 3) {
            0 => $this->cache->remember("known $row", fn(): array => self::large($this->read($row)), reads: ["item:$row"]),
            1 => $this->cache->remember("recorded $row", fn(): array => self::large($this->select($row))),
            default => $this->cache->remember("told $row", function () use ($row): array {
                $version = $this->read($row);
                $this->cache->reads("item:$row");

                return self::large($version);
            }),
        };

        return $version;
    }

    /** @return array{int, string} a value that tiers keep near */
    private static function large(int $version): array
    {
        return [$version, str_repeat('x', 1000)];
    }

    private function read(int $row): int
    {
        $version = Database::version($this->connection, $row);
        $this->linger();

        return $version;
    }

    private function select(int $row): int
    {
        $version = $this->connection->select('SELECT version FROM item WHERE id = ?', [$row], Database::registry()->row('item', $row))[0]['version'] ?? null;
        $this->linger();

        return \is_int($version) ? $version : -1;
    }

    /** Time in which the data that was read can become old. */
    private function linger(): void
    {
        ++$this->made;
        if (mt_rand(1, 3) === 1) {
            usleep(mt_rand(0, 10_000));
        }
    }

    private function old(int $row, int $version, int $oldest, int $begin, int $took): void
    {
        $age = 0;
        for ($next = $version + 1; $next <= $oldest && $age === 0; ++$next) {
            $age = $this->score->committedAt($row, $next);
        }
        $age = $age === 0 ? PHP_INT_MAX : $begin - $age;
        if ($this->slice->setting->lag > 0.0) {
            $this->score->longest($this->seat, $age);
            if ($age <= (int) ($this->slice->setting->lag * 1e9) + $took) {
                return;
            }
        }
        if (++$this->found <= self::ENOUGH) {
            $this->slice->findings->add(\sprintf('%s, %s: row %d was read as version %d, but %d had been committed (%.1f ms ago)', $this->slice->setting->name, $this->slice->phase->value, $row, $version, $oldest, $age / 1e6));
        }
        $this->score->add($this->seat, Count::Stale);
    }
}
