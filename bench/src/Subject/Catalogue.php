<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;

/**
 * All subjects by id. A new subject is a class and a definition in its family's list.
 *
 * An id may end in `@n`, for n servers in place of one, `=igbinary`, for objects that the application serializes before
 * the client sees them, `*n`, for n times the workers, and `#2`, for the same subject under a second name:
 * `phpredis@3`, `memcached@2=igbinary#2`, `apcu*2`.
 */
final readonly class Catalogue
{
    private const MOST_SERVERS = 16;

    /** @var array<string, Definition> */
    private array $definitions;

    /** @param list<Definition> $definitions a later one replaces an earlier one of its id */
    public function __construct(array $definitions)
    {
        $this->definitions = array_column($definitions, null, 'id');
    }

    public static function standard(): self
    {
        return new self(self::definitions());
    }

    /**
     * Only the family that has this id. php-fpm needs one subject in each request: to make all of them would cost more
     * than the subject does.
     *
     * @throws UsageError
     */
    public static function withOnly(string $id): self
    {
        if (str_contains($id, '=')) {
            return self::standard();
        }
        $base = (string) preg_replace('/[@*#].*/', '', $id);
        if (preg_match('/^(cache|symfony)-/', $base) === 1) {
            return new self(Cached\CachedSubjects::all());
        }
        $families = [
            self::floors(...),
            Memcached\MemcachedSubjects::all(...),
            Redis\RedisSubjects::all(...),
            Local\LocalSubjects::all(...),
            Sql\MariaDb::subjects(...),
        ];
        foreach ($families as $family) {
            $catalogue = new self($family());
            if (isset($catalogue->definitions[$base])) {
                return $catalogue;
            }
        }

        return self::standard();
    }

    /** @return list<Definition> */
    public static function definitions(): array
    {
        return [
            ...self::floors(),
            ...Memcached\MemcachedSubjects::all(),
            ...Redis\RedisSubjects::all(),
            ...Local\LocalSubjects::all(),
            ...Sql\MariaDb::subjects(),
            ...Encoding\Serializer::subjects(),
            ...Cached\CachedSubjects::all(),
        ];
    }

    /**
     * @param class-string $can only those that have this interface
     *
     * @return list<Definition>
     */
    public function all(string $can = Subject::class): array
    {
        return array_values(array_filter(
            $this->definitions,
            static fn(Definition $definition): bool => $definition->can($can),
        ));
    }

    /** @throws UsageError */
    public function get(string $id): Definition
    {
        if (isset($this->definitions[$id])) {
            return $this->definitions[$id];
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
     * @param class-string $can  the interface that those of `all` have
     *
     * @return list<Definition>
     *
     * @throws UsageError
     */
    public function parse(string $list, string $can = Subject::class): array
    {
        $found = [];
        foreach (explode(':', $list) as $id) {
            foreach ($id === 'all' ? $this->all($can) : [$this->get($id)] as $definition) {
                $found[$definition->id] ??= $definition;
            }
        }

        return array_values($found);
    }

    /** @return list<Definition> */
    private static function floors(): array
    {
        $noop = static fn(): Floor\Noop => new Floor\Noop();
        $array = static fn(): Floor\ArrayStore => new Floor\ArrayStore();

        return [
            new Definition('noop', 'Nothing at all', Floor\Noop::class, $noop, role: Role::Floor, terms: [
                'client' => 'PHP ' . PHP_VERSION,
                'note' => 'takes every call and does nothing: the cost of the workload and of a method call',
            ]),
            new Definition(
                'array',
                'PHP array',
                Floor\ArrayStore::class,
                $array,
                role: Role::Floor,
                terms: [
                    'client' => 'PHP ' . PHP_VERSION,
                    'serializer' => 'none: values stay where they are',
                    'note' => 'each process has its own: what no cache shared by processes can beat',
                ],
                shared: false,
            ),
        ];
    }

    private function direct(Definition $store, Definition $encoder, string $id): Definition
    {
        if (!$store->can(KeyValue::class) || !$encoder->can(Encoder::class)) {
            $known = implode(' ', array_column($this->all(Encoder::class), 'id'));
            throw $this->unknown($id, 'STORE=SERIALIZER: STORE must store strings, SERIALIZER be one of ' . $known);
        }
        $make = static function () use ($store, $encoder): DirectObjects {
            $strings = ($store->make)();
            $values = ($encoder->make)();
            \assert($strings instanceof KeyValue && $values instanceof Encoder);

            return new DirectObjects($strings, $values, $store->isChecked());
        };

        return $store->with(
            $id,
            \sprintf('%s, %s by the application', $store->title, $encoder->title),
            DirectObjects::class,
            $make,
            terms: [...$store->terms, 'serializer' => $encoder->id . ', by the application'],
            extensions: [...$store->extensions, ...$encoder->extensions],
        );
    }

    private function spread(Definition $definition, string $id, int $servers): Definition
    {
        if (!\in_array($definition->needs, [Kind::Memcached, Kind::MemcachedUnix, Kind::Redis], true)) {
            throw $this->unknown($id, $definition->id . ' cannot use several servers');
        }
        if ($servers > self::MOST_SERVERS) {
            throw $this->unknown($id, \sprintf('more than %d servers', self::MOST_SERVERS));
        }

        return $definition->as($id, $servers);
    }

    private function unknown(string $id, string $why = ''): UsageError
    {
        return new UsageError(\sprintf(
            'Unknown subject "%s"%s. Known: %s; "@2" after a client of memcached or Redis gives it two servers, and '
                . '"#2" gives a'
                . ' contender a second name.',
            $id,
            $why === '' ? '' : ': ' . $why,
            implode(' ', array_keys($this->definitions)),
        ));
    }
}
