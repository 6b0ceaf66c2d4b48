<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\ConnectOnly;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Floor\RawMemcached;
use Larder\Bench\Subject\Local\LoadedExtension;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Singly;
use ReflectionExtension;

final readonly class MemcachedSubjects
{
    /** @return list<Definition> */
    public static function all(): array
    {
        return [
            self::ext('memcached', 'ext-memcached', Settings::Defaults, ['protocol' => 'text']),
            self::ext('memcached-tuned', 'ext-memcached, tuned', Settings::Tuned, [
                'protocol' => 'text',
                'nodelay' => 'on',
                'compression' => 'off',
                'hashing' => 'ketama',
                'time-outs' => 'connect, poll, send and receive: those of the bench (5 s)',
                'tuned' => 'TCP_NODELAY, NO_BLOCK and no compression for speed, ketama and time-outs as a site would have them; no buffered or unanswered writes, which would say "stored" before it is so',
            ]),
            self::ext('memcached-binary', 'ext-memcached, binary protocol', Settings::Binary, [
                'protocol' => 'binary',
                'note' => 'the protocol switched on and nothing else: without TCP_NODELAY every miss waits 40 ms for a delayed acknowledgement',
            ]),
            ...array_map(self::native(...), ['php', 'igbinary', 'msgpack', 'json']),
            self::pecl('memcache', 'pecl-memcache', false, false, []),
            self::pecl('memcache-tuned', 'pecl-memcache, tuned', false, true, [
                'compression' => 'off',
                'tuned' => 'no compression; protocol and hashing have no faster setting',
            ]),
            self::pecl('memcache-udp', 'pecl-memcache, UDP', true, false, [
                'protocol' => 'text; get by UDP, all else by TCP',
                'note' => 'a get of several keys looks like lost datagrams to it since memcached 1.6 numbers each reply by itself; it then repeats it by TCP, and stays with TCP for 15 s. With several servers it does not get over that, and the bench fails it; with one of them gone such a get may take half a minute, whatever its time-out',
            ]),
            self::larder('larder', 'Larder', Kind::Memcached),
            self::larder('larder-unix', 'Larder, unix socket', Kind::MemcachedUnix, ['transport' => 'unix socket', 'nodelay' => 'does not apply']),
            self::larder('larder-udp', 'Larder, UDP', Kind::Memcached, ['transport' => 'gets by UDP where a reply fits a datagram, all else by TCP'], udp: true),
            ...array_map(static fn(string $serializer): Definition => self::larder('larder+' . $serializer, 'Larder, its own ' . $serializer, Kind::Memcached, serializer: $serializer), ['php', 'igbinary', 'msgpack', 'json']),
            new Definition('larder-connect', 'Larder, connecting each time', ConnectPerCall::class, static fn(): ConnectPerCall => new ConnectPerCall(
                static fn(): LarderMemcached => new LarderMemcached(probe: false),
                static fn(): LarderMemcached => new LarderMemcached(),
            ), Kind::Memcached, terms: [...self::larderTerms(), 'persistent' => 'no: connects for each call'], extensions: ['larder'], ini: LoadedExtension::ini('larder')),
            new Definition('larder-singly', 'Larder, one by one', Singly::class, static fn(): Singly => new Singly(new LarderMemcached()), Kind::Memcached, terms: self::larderTerms(), extensions: ['larder'], ini: LoadedExtension::ini('larder')),
            self::raw('raw', 'raw protocol in C', Kind::Memcached, false),
            self::raw('raw-meta', 'raw protocol in C, meta commands', Kind::Memcached, true),
            self::raw('raw-unix', 'raw protocol in C, unix socket', Kind::MemcachedUnix, false),
            self::row('memcached-connect', 'ext-memcached, connecting each time', ConnectPerCall::class, static fn(): ConnectPerCall => new ConnectPerCall(
                static fn(): ExtMemcached => new ExtMemcached(probe: false),
                static fn(): ExtMemcached => new ExtMemcached(),
            ), Role::Contender, ['protocol' => 'text', 'persistent' => 'no: connects for each call', ...self::defaults()]),
            self::row('memcached-connect-only', 'ext-memcached, connection alone', ConnectOnly::class, static fn(): ConnectOnly => new ConnectOnly(
                static fn(): ExtMemcached => new ExtMemcached(),
            ), Role::Floor, ['protocol' => 'text', 'note' => 'a connection and one "version", without which the extension does not connect', ...self::defaults()]),
        ];
    }

    /** @param array<string, string> $terms */
    private static function ext(string $id, string $title, Settings $settings, array $terms): Definition
    {
        return self::row($id, $title, ExtMemcached::class, static fn(): ExtMemcached => new ExtMemcached($settings), Role::Contender, [...self::defaults(), ...$terms]);
    }

    /**
     * @param class-string<\Larder\Bench\Subject\Subject>    $class
     * @param \Closure(): \Larder\Bench\Subject\Subject      $make
     * @param array<string, string>                          $terms
     */
    private static function row(string $id, string $title, string $class, \Closure $make, Role $role, array $terms): Definition
    {
        return new Definition($id, $title, $class, $make, Kind::Memcached, $role, $terms, ['memcached']);
    }

    /** @param array<string, string> $terms */
    private static function larder(string $id, string $title, Kind $needs, array $terms = [], bool $udp = false, string $serializer = 'php'): Definition
    {
        return new Definition(
            $id,
            $title,
            LarderMemcached::class,
            static fn(): LarderMemcached => new LarderMemcached($udp, $serializer),
            $needs,
            terms: [...self::larderTerms(), 'serializer' => $serializer . ', for what is not a string or a number', ...$terms],
            extensions: ['larder', ...(\in_array($serializer, ['igbinary', 'msgpack'], true) ? [$serializer] : [])],
            ini: LoadedExtension::ini('larder'),
        );
    }

    /** @return array<string, string> */
    private static function larderTerms(): array
    {
        return [
            'client' => 'Larder\Memcached ' . self::version('larder'),
            'protocol' => 'meta commands with an opaque each; the classic get for many keys',
            'transport' => 'TCP',
            'persistent' => 'yes, its only way',
            'nodelay' => 'on',
            'compression' => 'none, its default',
            'hashing' => 'larder, its default',
            'time-outs' => 'one for all: that of the bench (5 s); its default is 250 ms',
        ];
    }

    private static function raw(string $id, string $title, Kind $needs, bool $meta): Definition
    {
        return new Definition($id, $title, RawMemcached::class, static fn(): RawMemcached => new RawMemcached($meta), $needs, Role::Floor, [
            'client' => 'a loop in C that sends prepared requests and receives as many bytes as their replies have',
            'protocol' => 'meta commands' . ($meta ? '' : '; the classic get') . '; no opaque',
            'note' => 'looks at what came last only after a run of calls: the cost of the server and of the system calls',
        ], ['FFI']);
    }

    /** For objects only: what else it does is the same as without. */
    private static function native(string $serializer): Definition
    {
        $built = $serializer === 'php' || \defined('Memcached::HAVE_' . strtoupper($serializer)) && \constant('Memcached::HAVE_' . strtoupper($serializer)) === true;

        return new Definition(
            'memcached+' . $serializer,
            'ext-memcached, its own ' . $serializer,
            ExtMemcached::class,
            static fn(): ExtMemcached => new ExtMemcached(Settings::Defaults, $serializer),
            Kind::Memcached,
            terms: [...self::defaults(), 'serializer' => $serializer],
            extensions: ['memcached', ...($built ? [] : ['memcached (built with ' . $serializer . ')'])],
            only: [Objects::class],
        );
    }

    /** @param array<string, string> $terms */
    private static function pecl(string $id, string $title, bool $udp, bool $tuned, array $terms): Definition
    {
        return new Definition($id, $title, PeclMemcache::class, static fn(): PeclMemcache => new PeclMemcache($udp, $tuned), Kind::Memcached, terms: [
            'client' => 'pecl-memcache ' . self::version('memcache'),
            'protocol' => self::ini('memcache.protocol', 'ascii'),
            'transport' => 'TCP',
            'persistent' => 'no; its default is yes, but then workers that are forked share one socket, and get each other\'s values',
            'nodelay' => 'on, its default',
            'compression' => \sprintf('zlib from %s bytes, its default', self::ini('memcache.compress_threshold', '20000')),
            'serializer' => 'php',
            'hashing' => self::ini('memcache.hash_strategy', 'consistent') . ', ' . self::ini('memcache.hash_function', 'crc32'),
            'time-outs' => 'one for all: that of the bench (5 s); its default is 1 s',
            ...$terms,
        ], extensions: ['memcache']);
    }

    /** @return array<string, string> */
    private static function defaults(): array
    {
        return [
            'client' => \sprintf('ext-memcached %s, libmemcached %s', self::version('memcached'), self::library()),
            'protocol' => 'text',
            'transport' => 'TCP',
            'persistent' => 'no',
            'nodelay' => 'off, its default',
            'compression' => \sprintf('%s from %s bytes, its default; off from the first append, which it refuses otherwise', self::ini('memcached.compression_type', 'fastlz'), self::ini('memcached.compression_threshold', '2000')),
            'serializer' => self::ini('memcached.serializer', 'php') . ', its default',
            'hashing' => 'modula, its default',
            'time-outs' => 'its defaults: connect 4 s, poll 5 s',
        ];
    }

    private static function version(string $extension): string
    {
        $version = phpversion($extension);

        return $version === false ? '(absent)' : $version;
    }

    /** Only the page of phpinfo() has it: the constant is that of the headers. */
    private static function library(): string
    {
        if (!\extension_loaded('memcached')) {
            return '(absent)';
        }
        ob_start();
        (new ReflectionExtension('memcached'))->info();

        return preg_match('/libmemcached library version\D+([\d.]+)/', (string) ob_get_clean(), $found) === 1 ? $found[1] : '(unknown)';
    }

    private static function ini(string $name, string $default): string
    {
        $value = ini_get($name);

        return $value === false || $value === '' ? $default : $value;
    }
}
