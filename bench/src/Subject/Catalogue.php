<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;

/**
 * All that can be measured, by id. A new subject is a class and a row.
 *
 * Behind a row's id may stand `@n`, for n servers in place of one, `=igbinary`, for objects that the application serializes
 * before the client sees them, `*n`, for n times the workers, and `#2`, for the same under a second name: `phpredis@3`,
 * `memcached@2=igbinary#2`, `apcu*2`.
 */
final readonly class Catalogue
{
    private const MOST_SERVERS = 16;

    /** @var array<string, Definition> */
    private array $rows;

    /** @param list<Definition> $rows a later one replaces an earlier one of its id */
    public function __construct(array $rows)
    {
        $this->rows = array_column($rows, null, 'id');
    }

    public static function standard(): self
    {
        return new self(self::rows());
    }

    /**
     * Only the family that has this id: where one subject is needed in each request, making all of them would cost more than the
     * subject does.
     *
     * @throws UnknownSubject
     */
    public static function withOnly(string $id): self
    {
        if (str_contains($id, '=')) {
            return self::standard();
        }
        $base = preg_replace('/[@*#].*/', '', $id);
        if (preg_match('/^(cache|symfony)-/', $id) === 1) {
            return new self(Cached\CachedSubjects::all());
        }
        foreach ([Floor\FloorSubjects::all(...), Memcached\MemcachedSubjects::all(...), Redis\RedisSubjects::all(...), Local\LocalSubjects::all(...), Sql\SqlSubjects::all(...)] as $family) {
            $catalogue = new self($family());
            if (isset($catalogue->rows[$base])) {
                return $catalogue;
            }
        }

        return self::standard();
    }

    /** @return list<Definition> */
    public static function rows(): array
    {
        return [
            ...Floor\FloorSubjects::all(),
            ...Memcached\MemcachedSubjects::all(),
            ...Redis\RedisSubjects::all(),
            ...Local\LocalSubjects::all(),
            ...Sql\SqlSubjects::all(),
            ...Encoding\EncodingSubjects::all(),
            ...Cached\CachedSubjects::all(),
        ];
    }

    /**
     * @param class-string $can only those that implement it
     *
     * @return list<Definition>
     */
    public function all(string $can = Subject::class): array
    {
        return array_values(array_filter($this->rows, static fn(Definition $row): bool => $row->can($can)));
    }

    /** @throws UnknownSubject */
    public function get(string $id): Definition
    {
        if (isset($this->rows[$id])) {
            return $this->rows[$id];
        }
        if (preg_match('/^(?<base>.+)#[2-9]$/D', $id, $match) === 1) {
            $twin = $this->get($match['base']);

            return $twin->role === Role::Contender
                ? $twin->as($id, role: Role::Twin)
                : throw $this->unknown($id, $twin->id . ' is no contender');
        }
        if (preg_match('/^(?<base>[^*#]+)\*(?<times>[2-9])$/D', $id, $match) === 1) {
            return $this->get($match['base'])->as($id, times: (int) $match['times']);
        }
        if (preg_match('/^(?<base>[^=#]+)=(?<encoder>[^=#]+)$/D', $id, $match) === 1) {
            return $this->direct($this->get($match['base']), $this->get($match['encoder']), $id);
        }
        if (preg_match('/^(?<base>[^@#]+)@(?<servers>[1-9]\d?)$/D', $id, $match) === 1) {
            return $this->spread($this->get($match['base']), $id, (int) $match['servers']);
        }

        throw $this->unknown($id);
    }

    /**
     * @param string       $list `memcached:phpredis@2`, or `all`
     * @param class-string $can  what "all" are
     *
     * @return list<Definition>
     *
     * @throws UnknownSubject
     */
    public function parse(string $list, string $can = Subject::class): array
    {
        $found = [];
        foreach (explode(':', $list) as $id) {
            foreach ($id === 'all' ? $this->all($can) : [$this->get($id)] as $row) {
                $found[$row->id] ??= $row;
            }
        }

        return array_values($found);
    }

    private function direct(Definition $store, Definition $encoder, string $id): Definition
    {
        if (!$store->can(KeyValue::class) || !$encoder->can(Encoder::class)) {
            throw $this->unknown($id, 'before = there must be a store of strings, behind it a serializer');
        }
        $make = static function () use ($store, $encoder): DirectObjects {
            $strings = ($store->make)();
            $values = ($encoder->make)();
            \assert($strings instanceof KeyValue && $values instanceof Encoder);

            return new DirectObjects($strings, $values, $store->isChecked());
        };

        return new Definition(
            $id,
            \sprintf('%s, %s by the application', $store->title, $encoder->title),
            DirectObjects::class,
            $make,
            $store->needs,
            $store->role,
            [...$store->terms, 'serializer' => $encoder->id . ', by the application'],
            [...$store->extensions, ...$encoder->extensions],
            $store->instances,
            $store->shared,
            $store->ini,
            $store->times,
        );
    }

    private function spread(Definition $row, string $id, int $servers): Definition
    {
        if ($row->needs !== Kind::Memcached && $row->needs !== Kind::MemcachedUnix && $row->needs !== Kind::Redis) {
            throw $this->unknown($id, $row->id . ' has one place');
        }
        if ($servers > self::MOST_SERVERS) {
            throw $this->unknown($id, \sprintf('more than %d servers', self::MOST_SERVERS));
        }

        return $row->as($id, $servers);
    }

    private function unknown(string $id, string $why = ''): UnknownSubject
    {
        return UnknownSubject::named($id, array_keys($this->rows), $why);
    }
}
