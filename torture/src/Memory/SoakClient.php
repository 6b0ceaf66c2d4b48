<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use Larder\Testbed\Http\FastCgi;

/** Asks for one request after the other and looks at each answer. Nobody else writes its keys. */
final class SoakClient
{
    private const SETS = 3;
    private const GETS = 10;

    public int $requests = 0;
    public int $reads = 0;
    public int $hits = 0;
    public int $writes = 0;
    public int $refused = 0;
    public int $wrong = 0;

    /** @var array<int, int> generation acknowledged by key; 0: deleted */
    private array $acknowledged = [];

    private int $generation = 0;

    public function __construct(
        private readonly FastCgi $server,
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
        $answer = $this->server->get(\sprintf('id=%d&set=%s&delete=%s&get=%s', $this->requests, self::pairs($set), self::pairs($delete), self::pairs($get)));
        $answer = $answer === null ? null : json_decode($answer, true);
        if (!\is_array($answer) || ($answer['id'] ?? null) !== (string) $this->requests || !\is_array($answer['set'] ?? null) || !\is_array($answer['get'] ?? null)) {
            $this->wrong('no whole answer');
            $this->acknowledged = array_diff_key($this->acknowledged, $set + $delete);

            return;
        }
        $this->written($set + $delete, $answer['set']);
        $this->found($get, $answer['get']);
    }

    /**
     * @param array<int, int>         $written
     * @param array<array-key, mixed> $outcomes
     */
    private function written(array $written, array $outcomes): void
    {
        foreach ($written as $key => $generation) {
            ++$this->writes;
            match ($outcomes[$key] ?? null) {
                'Done' => $this->acknowledged[$key] = $generation,
                'Refused' => ++$this->refused,
                default => $this->wrong("key $key: the write came out as " . json_encode($outcomes[$key] ?? null)),
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
            ++$this->reads;
            $generation = \array_key_exists($key, $found) ? $found[$key] : -1;
            $this->hits += $generation === null ? 0 : 1;
            if ($generation !== null && $generation !== ($this->acknowledged[$key] ?? 0)) {
                $this->wrong(\sprintf('key %d: generation %s, but %d was acknowledged', $key, json_encode($generation), $this->acknowledged[$key] ?? 0));
            }
        }
    }

    private function wrong(string $what): void
    {
        ++$this->wrong;
        $this->findings->add($what);
    }

    private function key(): int
    {
        return mt_rand($this->first, $this->first + $this->keys - 1);
    }

    /** @param array<int, int> $pairs */
    private static function pairs(array $pairs): string
    {
        return implode(',', array_map(static fn(int $key, int $generation): string => $key . '.' . $generation, array_keys($pairs), $pairs));
    }
}
