<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use LogicException;

/**
 * A memcached server, as far as MemcachedPageStore asks it: `mg`, `ms`, `md`, `mn` and `flush_all` of memcached's
 * protocol.txt. Each command is done at once. Its CAS numbers are counted, and begin anew with it.
 */
final class ModelServer
{
    /** @var array<string, array{value: string, cas: int, ends: bool, won: bool}> by key */
    public array $items = [];

    /** CAS numbers that were given out. */
    public int $last = 0;

    /** The highest generation that it was told since it was emptied. */
    public int $marked = 0;

    /** Connections of an earlier one are closed. */
    public int $start = 1;

    public function beginAnew(): void
    {
        $this->items = [];
        $this->last = $this->marked = 0;
        ++$this->start;
    }

    /** @return string the command at the beginning of these bytes; empty: it is not complete */
    public static function command(string $bytes): string
    {
        $end = strpos($bytes, "\r\n");
        if ($end === false) {
            return '';
        }
        $words = explode(' ', substr($bytes, 0, $end));
        $length = $end + 2 + ($words[0] === 'ms' ? (int) ($words[2] ?? 0) + 2 : 0);

        return \strlen($bytes) < $length ? '' : substr($bytes, 0, $length);
    }

    /** @return string the reply, with its end */
    public function does(string $command): string
    {
        [$line, $value] = explode("\r\n", $command, 2);
        $words = explode(' ', $line);
        [$verb, $key] = $words + [1 => ''];
        $flags = [];
        foreach (\array_slice($words, $verb === 'ms' ? 3 : 2) as $flag) {
            $flags[$flag[0]] = substr($flag, 1);
        }

        return match ($verb) {
            'mn' => "MN\r\n",
            'flush_all' => $this->flush(),
            'mg' => $this->get($key, $flags),
            'ms' => $this->set($key, substr($value, 0, -2), $flags),
            'md' => $this->delete($key, $flags),
            default => throw new LogicException("Teach the model of the server: $line"),
        };
    }

    private function flush(): string
    {
        $this->items = [];
        $this->marked = 0;
        ++$this->last;

        return "OK\r\n";
    }

    /** @param array<array-key, string> $flags */
    private function get(string $key, array $flags): string
    {
        $won = '';
        if (!isset($this->items[$key])) {
            if (!isset($flags['N'])) {
                return "EN\r\n";
            }
            // A life of 0 seconds is one without an end.
            $this->put($key, '', $flags['N'] !== '0', true);
            $won = ' W';
        }
        ['value' => $value, 'cas' => $cas, 'won' => $isWon] = $this->items[$key];
        $shown = (isset($flags['c']) ? ' c' . $cas : '') . ($won === '' && $isWon ? ' Z' : $won);

        return isset($flags['v']) ? \sprintf("VA %d%s\r\n%s\r\n", \strlen($value), $shown, $value) : "HD$shown\r\n";
    }

    /** @param array<array-key, string> $flags */
    private function set(string $key, string $value, array $flags): string
    {
        $refusal = $this->refusal($key, $flags);
        if ($refusal !== null) {
            return $refusal . (isset($flags['c']) ? ' c0' : '') . "\r\n";
        }
        $this->put($key, $value, isset($flags['T']));
        if (str_ends_with($key, '@')) {
            $this->marked = max($this->marked, (int) (explode(' ', $value)[1] ?? 0));
        }

        return 'HD' . (isset($flags['c']) ? ' c' . $this->last : '') . "\r\n";
    }

    /** @param array<array-key, string> $flags */
    private function delete(string $key, array $flags): string
    {
        $isThere = isset($this->items[$key]);
        $refusal = $this->refusal($key, $flags) ?? ($isThere ? null : 'NF');
        if ($refusal === null && isset($flags['I'])) {
            $this->items[$key]['cas'] = ++$this->last;
        } elseif ($refusal === null) {
            unset($this->items[$key]);
        }

        // Quiet: what went well says nothing. In some versions a missing item says nothing either.
        return isset($flags['q']) && $refusal === null ? '' : ($refusal ?? 'HD') . "\r\n";
    }

    /**
     * @param array<array-key, string> $flags
     *
     * @return string|null null: its CAS number is the item's, or it has none
     */
    private function refusal(string $key, array $flags): ?string
    {
        return match (true) {
            !isset($flags['C']) => null,
            !isset($this->items[$key]) => 'NF',
            $this->items[$key]['cas'] !== (int) $flags['C'] => 'EX',
            default => null,
        };
    }

    private function put(string $key, string $value, bool $ends, bool $won = false): void
    {
        $this->items[$key] = ['value' => $value, 'cas' => ++$this->last, 'ends' => $ends, 'won' => $won];
    }
}
