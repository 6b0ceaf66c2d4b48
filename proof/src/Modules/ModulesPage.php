<?php

declare(strict_types=1);

namespace Larder\Proof\Modules;

use Larder\Testbed\Value\SealedValue;
use Larder\Testbed\Value\WrongValue;
use Memcache;
use Memcached;

/**
 * The script of php-fpm: one round of calls on keys that only the client has which asks for it, so that each reply is
 * known. It prints "ok", or what was wrong.
 */
final class ModulesPage
{
    /** Keys of a client. */
    public const KEYS = 50;

    /** @var list<string> */
    private array $wrong = [];

    /** @param array<string, SealedValue> $values by key */
    private function __construct(private readonly array $values, private readonly string $prefix) {}

    public static function answer(): void
    {
        $number = static fn(string $name): int => is_numeric($given = $_GET[$name] ?? 0) ? (int) $given : 0;
        [$client, $round] = [$number('client'), $number('round')];
        $values = [];
        for ($key = $client * self::KEYS; $key < ($client + 1) * self::KEYS; ++$key) {
            $values["soak:$key"] = new SealedValue($key, $round);
        }
        $page = new self($values, "soak:$client:");
        $module = (string) getenv('TORTURE_MODULE');
        $page->expect(true, \defined(ucfirst($module) . '::LARDER'), 'whether the module is Larder\'s');
        $servers = explode(',', (string) getenv('TORTURE_SERVERS'));
        $module === 'memcached' ? $page->memcached($servers) : $page->memcache($servers);
        echo $page->wrong === [] ? 'ok' : implode("\n", $page->wrong);
    }

    /** @param list<string> $servers */
    private function memcached(array $servers): void
    {
        $client = new Memcached('soak');
        if ($client->getServerList() === []) {
            $client->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
            $client->addServers(array_map(static function (string $server): array {
                [$host, $port] = explode(':', $server) + [1 => '0'];

                return [$host, (int) $port];
            }, $servers));
        }
        $keys = array_keys($this->values);
        $made = $this->made();
        $this->expect(true, $client->setMulti($made), 'setMulti');
        $this->look($client->getMulti($keys), $keys, 'getMulti');
        $this->expect(true, $client->getDelayed($keys), 'getDelayed');
        $this->look(array_column($client->fetchAll(), 'value', 'key'), $keys, 'fetchAll');
        $first = $keys[0];
        $this->look([$first => $client->get($first)], [$first], 'get');
        $this->expect(true, $client->set($first, $made[$first]), 'set');
        $this->expect(false, $client->add($first, 'other'), 'add of what is there');
        $this->expect(Memcached::RES_NOTSTORED, $client->getResultCode(), 'its code');
        $this->expect(true, $client->replace($first, $made[$first]), 'replace');
        $found = $client->get($first, null, Memcached::GET_EXTENDED);
        $cas = \is_array($found) && is_numeric($found['cas'] ?? null) ? (float) $found['cas'] : 0.0;
        $this->expect(true, $client->cas($cas, $first, $made[$first]), 'cas');
        $this->expect(false, $client->cas($cas, $first, 'other'), 'cas with an old token');
        $this->expect(true, $client->touch($first, 300), 'touch');
        [$text, $counter] = [$this->prefix . 'text', $this->prefix . 'counter'];
        $client->setOption(Memcached::OPT_COMPRESSION, false);
        $this->expect(true, $client->set($text, 'b'), 'set of a text');
        $this->expect(true, $client->append($text, 'c') && $client->prepend($text, 'a'), 'append, prepend');
        $this->expect('abc', $client->get($text), 'get of a text');
        $client->setOption(Memcached::OPT_COMPRESSION, true);
        $this->expect(true, $client->set($counter, 5), 'set of a counter');
        $this->expect(8, $client->increment($counter, 3), 'increment');
        $this->expect(6, $client->decrement($counter, 2), 'decrement');
        $this->expect(true, $client->delete($counter), 'delete');
        $this->expect(array_fill_keys($keys, true), $client->deleteMulti($keys), 'deleteMulti');
        $this->expect([], $client->getMulti($keys), 'getMulti of what was deleted');
    }

    /** @param list<string> $servers */
    private function memcache(array $servers): void
    {
        $client = self::pool($servers);
        $keys = array_keys($this->values);
        $made = $this->made();
        $this->expect(true, $client->set($made), 'set of many');
        $this->look($client->get($keys), $keys, 'get of many');
        $first = $keys[0];
        $this->look([$first => $client->get($first)], [$first], 'get');
        $this->expect(true, $client->set($first, $made[$first], 0, 300), 'set');
        $this->expect(false, $client->add($first, 'other'), 'add of what is there');
        $this->expect(true, $client->replace($first, $made[$first]), 'replace');
        $flags = $cas = 0;
        $client->get($first, $flags, $cas);
        $this->expect(true, $client->cas($first, $made[$first], 0, 300, $cas), 'cas');
        $this->expect(false, $client->cas($first, 'other', 0, 300, $cas), 'cas with an old token');
        [$text, $counter] = [$this->prefix . 'text', $this->prefix . 'counter'];
        $this->expect(true, $client->set($text, 'b'), 'set of a text');
        $this->expect(true, $client->append($text, 'c') && $client->prepend($text, 'a'), 'append, prepend');
        $this->expect('abc', $client->get($text), 'get of a text');
        $this->expect(true, $client->set($counter, 5), 'set of a counter');
        $this->expect(8, $client->increment($counter, 3), 'increment');
        $this->expect(6, $client->decrement($counter, 2), 'decrement');
        $this->expect(true, $client->delete($counter), 'delete');
        $this->expect(true, $client->delete($keys), 'delete of many');
        $this->expect([], $client->get($keys), 'get of what was deleted');
    }

    /**
     * @param list<string> $servers
     *
     * @return MemcacheCalls
     */
    private static function pool(array $servers): object
    {
        $pool = new Memcache();
        foreach ($servers as $server) {
            [$host, $port] = explode(':', $server) + [1 => '0'];
            $pool->addServer($host, (int) $port);
        }

        return $pool; // @phpstan-ignore return.type (MemcacheCalls says why)
    }

    /** @return non-empty-array<string, mixed> */
    private function made(): array
    {
        $made = array_map(static fn(SealedValue $value): mixed => $value->any(), $this->values);

        return $made === [] ? throw new WrongValue('no keys') : $made;
    }

    /** @param list<string> $keys */
    private function look(mixed $found, array $keys, string $call): void
    {
        foreach ($keys as $key) {
            $value = $this->values[$key];
            try {
                SealedValue::verify(
                    \is_array($found) ? $found[$key] ?? null : null,
                    $value->key,
                    $value->generation,
                    $value->generation,
                );
            } catch (WrongValue $wrong) {
                $this->wrong[] = "$call, $key: " . $wrong->getMessage();
            }
        }
    }

    private function expect(mixed $expected, mixed $found, string $call): void
    {
        if ($found !== $expected) {
            $this->wrong[] = "$call: " . json_encode($found, JSON_PARTIAL_OUTPUT_ON_ERROR) . ' in place of '
                . json_encode($expected);
        }
    }
}
