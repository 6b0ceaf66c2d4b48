<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;

/** Sends one request after the other to php-fpm and checks each reply. No other client writes its keys. */
final class SoakClient
{
    private const SETS = 3;
    private const GETS = 10;

    private int $requests = 0;

    /** @var array<int, int> generation acknowledged by key; 0: deleted */
    private array $acknowledged = [];

    private int $generation = 0;

    public function __construct(
        private readonly FastCgi $server,
        private readonly Board $board,
        private readonly int $number,
        private readonly Findings $findings,
        private readonly int $first,
        private readonly int $keys,
    ) {}

    public function ask(): void
    {
        $set = $get = [];
        for ($i = 0; $i < self::SETS; ++$i) {
            $set[$this->key()] = ++$this->generation;
        }
        $delete = mt_rand(1, 4) === 1 ? [$this->key() => 0] : [];
        $set = array_diff_key($set, $delete);
        for ($i = 0; $i < self::GETS; ++$i) {
            $get[$this->key()] = 0;
        }
        ++$this->requests;
        $this->count(SoakCount::Requests);
        $parts = [$this->requests, self::pairs($set), self::pairs($delete), self::pairs($get)];
        $reply = json_decode($this->server->get(\sprintf('id=%d&set=%s&delete=%s&get=%s', ...$parts)) ?? '', true);
        $isWhole = \is_array($reply) && ($reply['id'] ?? null) === (string) $this->requests;
        if (!$isWhole || !\is_array($reply['set'] ?? null) || !\is_array($reply['get'] ?? null)) {
            $this->findings->add('no whole reply');
            $this->acknowledged = array_diff_key($this->acknowledged, $set + $delete);

            return;
        }
        $this->written($set + $delete, $reply['set']);
        $this->found($get, $reply['get']);
    }

    /**
     * @param array<int, int>         $written
     * @param array<array-key, mixed> $outcomes
     */
    private function written(array $written, array $outcomes): void
    {
        foreach ($written as $key => $generation) {
            $this->count(SoakCount::Writes);
            $outcome = $outcomes[$key] ?? null;
            match ($outcome) {
                'Done' => $this->acknowledged[$key] = $generation,
                'Refused' => $this->count(SoakCount::Refused),
                default => $this->findings->add("key $key: the outcome of a write was " . json_encode($outcome)),
            };
        }
    }

    /**
     * @param array<int, int>         $asked
     * @param array<array-key, mixed> $found
     */
    private function found(array $asked, array $found): void
    {
        foreach (array_keys($asked) as $key) {
            $this->count(SoakCount::Reads);
            $generation = \array_key_exists($key, $found) ? $found[$key] : -1;
            if ($generation === null) {
                continue;
            }
            $this->count(SoakCount::Hits);
            $acknowledged = $this->acknowledged[$key] ?? 0;
            if ($generation !== $acknowledged) {
                $shown = json_encode($generation);
                $this->findings->add("key $key: generation $shown, but $acknowledged was acknowledged");
            }
        }
    }

    private function count(SoakCount $what): void
    {
        $this->board->add($what, index: $this->number);
    }

    private function key(): int
    {
        return mt_rand($this->first, $this->first + $this->keys - 1);
    }

    /** @param array<int, int> $pairs */
    private static function pairs(array $pairs): string
    {
        $pair = static fn(int $key, int $generation): string => $key . '.' . $generation;

        return implode(',', array_map($pair, array_keys($pairs), $pairs));
    }
}
