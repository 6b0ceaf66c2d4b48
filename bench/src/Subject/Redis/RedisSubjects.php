<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Closure;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\ConnectOnly;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Subject;
use Predis\Client;

final readonly class RedisSubjects
{
    /** @return list<Definition> */
    public static function all(): array
    {
        $unix = ['transport' => 'unix socket', 'nodelay' => 'does not apply', 'tuned' => 'the socket; the client has no other setting that makes a call faster'];
        $shares = ['instances' => 'each holds its share of the keys'];

        return [
            self::phpredis('phpredis', 'phpredis', Phpredis::class, static fn(): Phpredis => new Phpredis()),
            self::phpredis('phpredis-unix', 'phpredis, unix socket', Phpredis::class, static fn(): Phpredis => new Phpredis(unix: true), $unix),
            self::phpredis('phpredis-pipelined', 'phpredis, pipelines', Phpredis::class, static fn(): Phpredis => new Phpredis(pipelined: true), [
                'note' => 'many keys as one pipeline of single commands, in place of MGET and MSET; single calls as without',
            ]),
            self::phpredis('phpredis-partitioned', 'phpredis, partitioned', PhpredisPartitioned::class, static fn(): PhpredisPartitioned => new PhpredisPartitioned(), [
                ...$shares,
                'hashing' => 'CRC32 of the key modulo the instances, by the bench; the RedisArray of the extension takes an instance that is gone for one without the key',
            ]),
            ...array_map(self::native(...), ['php', 'igbinary', 'msgpack', 'json']),
            self::phpredis('phpredis-connect', 'phpredis, connecting each time', ConnectPerCall::class, static fn(): ConnectPerCall => new ConnectPerCall(static fn(): Phpredis => new Phpredis()), [
                'persistent' => 'no: connects for each call',
            ]),
            self::phpredis('phpredis-connect-only', 'phpredis, connection alone', ConnectOnly::class, static fn(): ConnectOnly => new ConnectOnly(static fn(): Phpredis => new Phpredis()), [
                'note' => 'connects and closes, asks for nothing',
            ], Role::Floor),
            self::predis('predis', 'Predis', PredisClient::class, static fn(): PredisClient => new PredisClient()),
            self::predis('predis-unix', 'Predis, unix socket', PredisClient::class, static fn(): PredisClient => new PredisClient(unix: true), $unix),
            self::predis('predis-partitioned', 'Predis, partitioned', PredisPartitioned::class, static fn(): PredisPartitioned => new PredisPartitioned(), [
                ...$shares,
                'hashing' => 'ring of Predis ("cluster" => "predis"); it refuses MGET, MSET and DEL of many keys there, so they are pipelines',
            ]),
        ];
    }

    /**
     * @param class-string<Subject>  $class
     * @param Closure(): Subject     $make
     * @param array<string, string>  $terms
     */
    private static function phpredis(string $id, string $title, string $class, Closure $make, array $terms = [], Role $role = Role::Contender): Definition
    {
        return new Definition($id, $title, $class, $make, Kind::Redis, $role, [
            'client' => 'phpredis ' . (phpversion('redis') === false ? '(absent)' : phpversion('redis')),
            ...self::common(),
            'nodelay' => 'on, its default',
            'serializer' => 'none, its default',
            ...$terms,
        ], ['redis']);
    }

    private static function native(string $serializer): Definition
    {
        $built = \defined('Redis::SERIALIZER_' . strtoupper($serializer));
        $row = self::phpredis('phpredis+' . $serializer, 'phpredis, its own ' . $serializer, Objects::class, static fn(): PhpredisObjects => new PhpredisObjects($serializer), ['serializer' => $serializer]);

        return new Definition($row->id, $row->title, $row->class, $row->make, $row->needs, $row->role, $row->terms, ['redis', ...($built ? [] : ['redis (built with ' . $serializer . ')'])]);
    }

    /**
     * @param class-string<Subject>  $class
     * @param Closure(): Subject     $make
     * @param array<string, string>  $terms
     */
    private static function predis(string $id, string $title, string $class, Closure $make, array $terms = []): Definition
    {
        return new Definition($id, $title, $class, $make, Kind::Redis, terms: [
            'client' => 'Predis ' . Client::VERSION . ', all PHP',
            ...self::common(),
            'nodelay' => 'off, its default; on makes no difference, as it sends a command by one write',
            'serializer' => 'none: it has none',
            ...$terms,
        ]);
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
