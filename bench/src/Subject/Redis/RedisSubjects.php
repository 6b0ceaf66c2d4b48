<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Closure;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Subject;
use Predis\Client;

/** The clients for Redis. */
final readonly class RedisSubjects
{
    private const UNIX = [
        'transport' => 'unix socket',
        'nodelay' => 'does not apply',
        'tuned' => 'the socket; the client has no other setting that makes a call faster',
    ];
    private const SHARES = ['instances' => 'each holds its share of the keys'];

    /** What a partitioned client can do. */
    private const PARTITIONED = [Appending::class, CountingMany::class, ManyKeys::class];

    /** @return list<Definition> */
    public static function all(): array
    {
        return [...self::allPhpredis(), ...self::allPredis()];
    }

    /** @return list<Definition> */
    private static function allPhpredis(): array
    {
        $make = static fn(): Phpredis => new Phpredis();

        return [
            self::phpredis('phpredis', 'phpredis', Phpredis::class, $make),
            self::phpredis(
                'phpredis-unix',
                'phpredis, unix socket',
                Phpredis::class,
                static fn(): Phpredis => new Phpredis(unix: true),
                self::UNIX,
            ),
            self::phpredis(
                'phpredis-pipelined',
                'phpredis, pipelines',
                Phpredis::class,
                static fn(): Phpredis => new Phpredis(pipelined: true),
                [
                    'note' => 'many keys as one pipeline of single commands, in place of MGET and MSET; single calls '
                        . 'as without',
                ],
            ),
            self::phpredis(
                'phpredis-partitioned',
                'phpredis, partitioned',
                Phpredis::class,
                static fn(): Phpredis => new Phpredis(partitioned: true),
                [
                    ...self::SHARES,
                    'hashing' => 'CRC32 of the key modulo the instances, by the bench; the RedisArray of the '
                        . 'extension takes an'
                        . ' instance that is gone for one without the key',
                ],
                only: self::PARTITIONED,
            ),
            ...array_map(self::withSerializer(...), ['php', 'igbinary', 'msgpack', 'json']),
            self::phpredis(
                'phpredis-connect',
                'phpredis, connecting each time',
                ConnectPerCall::class,
                static fn(): ConnectPerCall => new ConnectPerCall($make),
                ['persistent' => 'no: connects for each call'],
            ),
            self::phpredis(
                'phpredis-connect-only',
                'phpredis, connection alone',
                ConnectPerCall::class,
                static fn(): ConnectPerCall => new ConnectPerCall($make, asks: false),
                ['note' => 'connects and closes, asks for nothing'],
                Role::Floor,
            ),
        ];
    }

    /** @return list<Definition> */
    private static function allPredis(): array
    {
        return [
            self::predis('predis', 'Predis', static fn(): Predis => new Predis()),
            self::predis(
                'predis-unix',
                'Predis, unix socket',
                static fn(): Predis => new Predis(unix: true),
                self::UNIX,
            ),
            self::predis(
                'predis-partitioned',
                'Predis, partitioned',
                static fn(): Predis => new Predis(partitioned: true),
                [
                    ...self::SHARES,
                    'hashing' => 'ring of Predis ("cluster" => "predis"); it refuses MGET, MSET and DEL of many keys '
                        . 'there, so they'
                        . ' are pipelines',
                ],
                self::PARTITIONED,
            ),
        ];
    }

    /**
     * @param class-string<Subject>               $class
     * @param Closure(): Subject                  $make
     * @param array<string, string>               $terms
     * @param list<class-string<Subject>>|null    $only
     */
    private static function phpredis(
        string $id,
        string $title,
        string $class,
        Closure $make,
        array $terms = [],
        Role $role = Role::Contender,
        ?array $only = null,
    ): Definition {
        $terms = [
            'client' => 'phpredis ' . (phpversion('redis') === false ? '(absent)' : phpversion('redis')),
            ...self::common(),
            'nodelay' => 'on, its default',
            'serializer' => 'none, its default',
            ...$terms,
        ];

        return new Definition(
            $id,
            $title,
            $class,
            $make,
            Kind::Redis,
            $role,
            $terms,
            ['redis'],
            copies: $only === null,
            only: $only,
        );
    }

    private static function withSerializer(string $serializer): Definition
    {
        $built = \defined('Redis::SERIALIZER_' . strtoupper($serializer));
        $subject = self::phpredis(
            'phpredis+' . $serializer,
            'phpredis, its own ' . $serializer,
            PhpredisObjects::class,
            static fn(): PhpredisObjects => new PhpredisObjects($serializer),
            ['serializer' => $serializer],
        );
        $missing = $built ? [] : ['redis (built with ' . $serializer . ')'];

        return $subject->with($subject->id, $subject->title, extensions: ['redis', ...$missing]);
    }

    /**
     * @param Closure(): Predis                $make
     * @param array<string, string>            $terms
     * @param list<class-string<Subject>>|null $only
     */
    private static function predis(
        string $id,
        string $title,
        Closure $make,
        array $terms = [],
        ?array $only = null,
    ): Definition {
        $terms = [
            'client' => 'Predis ' . Client::VERSION . ', all PHP',
            ...self::common(),
            'nodelay' => 'off, its default; on makes no difference, as it sends a command by one write',
            'serializer' => 'none: it has none',
            ...$terms,
        ];

        return new Definition(
            $id,
            $title,
            Predis::class,
            $make,
            Kind::Redis,
            terms: $terms,
            copies: $only === null,
            only: $only,
        );
    }

    /** @return array<string, string> */
    private static function common(): array
    {
        return [
            'protocol' => 'RESP 2',
            'transport' => 'TCP',
            'persistent' => 'no',
            'compression' => 'none',
            'instances' => 'all hold all data; worker i uses number i mod n',
            'time-outs' => 'connect and read: those of the bench (5 s)',
        ];
    }
}
