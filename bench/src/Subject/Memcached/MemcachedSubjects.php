<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

use Closure;
use Composer\InstalledVersions;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Floor\RawMemcached;
use Larder\Bench\Subject\Local\LocalSubjects;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Singly;
use Larder\Bench\Subject\Subject;
use ReflectionExtension;

/** The clients for memcached, and a loop in C that is their floor. */
final readonly class MemcachedSubjects
{
    private const SERIALIZERS = ['php', 'igbinary', 'msgpack', 'json'];
    private const SERIALIZED = ', for what is not a string or a number';

    /** @return list<Definition> */
    public static function all(): array
    {
        return [
            ...self::extMemcached(),
            ...self::peclMemcache(),
            ...self::larder(),
            ...self::modules(),
            self::raw('raw', 'raw protocol in C', Kind::Memcached, false),
            self::raw('raw-meta', 'raw protocol in C, meta commands', Kind::Memcached, true),
            self::raw('raw-unix', 'raw protocol in C, unix socket', Kind::MemcachedUnix, false),
            ...self::extMemcachedConnecting(),
            ...self::plain(),
        ];
    }

    /**
     * A client in PHP, as sites without an extension have it, and as the published B7 and B8 had it: connecting each
     * time.
     *
     * @return list<Definition>
     */
    private static function plain(): array
    {
        $make = static fn(): PlainMemcached => new PlainMemcached();
        $terms = [
            'client' => 'some hundred lines of PHP over a stream',
            'protocol' => 'text',
            'transport' => 'TCP',
            'persistent' => 'no',
            'nodelay' => 'off; each request is one write',
            'compression' => 'none',
            'time-outs' => 'that of the bench (5 s)',
        ];

        return [
            new Definition('plain', 'PHP alone', PlainMemcached::class, $make, Kind::Memcached, terms: $terms),
            new Definition(
                'plain-connect',
                'PHP alone, connecting each time',
                ConnectPerCall::class,
                static fn(): ConnectPerCall => new ConnectPerCall($make),
                Kind::Memcached,
                terms: [...$terms, 'persistent' => 'no: connects for each call'],
            ),
        ];
    }

    /** @return list<Definition> */
    private static function extMemcached(): array
    {
        return [
            self::ext(
                'memcached',
                'ext-memcached',
                ['protocol' => 'text'],
                static fn(): ExtMemcached => new ExtMemcached(),
            ),
            self::ext('memcached-tuned', 'ext-memcached, tuned', [
                'protocol' => 'text',
                'nodelay' => 'on',
                'compression' => 'off',
                'hashing' => 'ketama',
                'time-outs' => 'connect, poll, send and receive: those of the bench (5 s)',
                'tuned' => 'TCP_NODELAY, NO_BLOCK and no compression for speed, ketama and time-outs as a site would '
                    . 'have them; no'
                    . ' buffered or unanswered writes, which would say "stored" before it is so',
            ], static fn(): ExtMemcached => new ExtMemcached(tuned: true)),
            self::ext('memcached-binary', 'ext-memcached, binary protocol', [
                'protocol' => 'binary',
                'note' => 'the protocol switched on and nothing else: without TCP_NODELAY every miss waits 40 ms for '
                    . 'a delayed'
                    . ' acknowledgement',
            ], static fn(): ExtMemcached => new ExtMemcached(binary: true)),
            ...array_map(self::withSerializer(...), self::SERIALIZERS),
        ];
    }

    /** @return list<Definition> */
    private static function extMemcachedConnecting(): array
    {
        $first = static fn(): ExtMemcached => new ExtMemcached();

        return [
            self::ext(
                'memcached-connect',
                'ext-memcached, connecting each time',
                ['protocol' => 'text', 'persistent' => 'no: connects for each call'],
                static fn(): ConnectPerCall => new ConnectPerCall(
                    static fn(): ExtMemcached => new ExtMemcached(probe: false),
                    $first,
                ),
                ConnectPerCall::class,
            ),
            self::ext(
                'memcached-connect-only',
                'ext-memcached, connection alone',
                [
                    'protocol' => 'text',
                    'note' => 'a connection and one "version", without which the extension does not connect',
                ],
                static fn(): ConnectPerCall => new ConnectPerCall($first, asks: false),
                ConnectPerCall::class,
                Role::Floor,
            ),
        ];
    }

    /**
     * @param array<string, string> $terms
     * @param Closure(): Subject    $make
     * @param class-string<Subject> $class
     */
    private static function ext(
        string $id,
        string $title,
        array $terms,
        Closure $make,
        string $class = ExtMemcached::class,
        Role $role = Role::Contender,
    ): Definition {
        $terms = [...self::extDefaults(), ...$terms];

        return new Definition($id, $title, $class, $make, Kind::Memcached, $role, $terms, ['memcached']);
    }

    /** For objects only: with strings it is the same as without. */
    private static function withSerializer(string $serializer): Definition
    {
        $constant = 'Memcached::HAVE_' . strtoupper($serializer);
        $built = $serializer === 'php' || \defined($constant) && \constant($constant) === true;
        $missing = $built ? [] : ['memcached (built with ' . $serializer . ')'];

        return new Definition(
            'memcached+' . $serializer,
            'ext-memcached, its own ' . $serializer,
            ExtMemcached::class,
            static fn(): ExtMemcached => new ExtMemcached(serializer: $serializer),
            Kind::Memcached,
            terms: [...self::extDefaults(), 'serializer' => $serializer],
            extensions: ['memcached', ...$missing],
            only: [Objects::class],
        );
    }

    /** @return list<Definition> */
    private static function peclMemcache(): array
    {
        return [
            self::pecl('memcache', 'pecl-memcache', static fn(): PeclMemcache => new PeclMemcache()),
            self::pecl('memcache-tuned', 'pecl-memcache, tuned', static fn(): PeclMemcache => new PeclMemcache(
                tuned: true,
            ), [
                'compression' => 'off',
                'tuned' => 'no compression; protocol and hashing have no faster setting',
            ]),
            self::pecl('memcache-udp', 'pecl-memcache, UDP', static fn(): PeclMemcache => new PeclMemcache(udp: true), [
                'protocol' => 'text; get by UDP, all else by TCP',
                'note' => 'a get of several keys looks like lost datagrams to it since memcached 1.6 numbers each '
                    . 'reply by itself; it'
                    . ' then repeats it by TCP, and stays with TCP for 15 s. With several servers it does not get '
                    . 'over that, and the'
                    . ' bench fails it; with one of them gone such a get may take half a minute, whatever its time-out',
            ]),
        ];
    }

    /**
     * @param Closure(): PeclMemcache $make
     * @param array<string, string>   $terms
     * @param array<string, string>   $modules in place of what is installed
     */
    private static function pecl(
        string $id,
        string $title,
        Closure $make,
        array $terms = [],
        array $modules = [],
    ): Definition {
        $threshold = self::setting('memcache.compress_threshold', '20000');
        $hashing = self::setting('memcache.hash_strategy', 'consistent') . ', '
            . self::setting('memcache.hash_function', 'crc32');

        return new Definition($id, $title, PeclMemcache::class, $make, Kind::Memcached, terms: [
            'client' => 'pecl-memcache ' . self::version('memcache'),
            'protocol' => self::setting('memcache.protocol', 'ascii'),
            'transport' => 'TCP',
            'persistent' => 'no; its default is yes, but then workers that are forked share one socket, and get each '
                . 'other\'s values',
            'nodelay' => 'on, its default',
            'compression' => \sprintf('zlib from %s bytes, its default', $threshold),
            'serializer' => 'php',
            'hashing' => $hashing,
            'time-outs' => 'one for all: that of the bench (5 s); its default is 1 s',
            ...$terms,
        ], extensions: $modules === [] ? ['memcache'] : [], modules: $modules);
    }

    /** @return list<Definition> */
    private static function larder(): array
    {
        $make = static fn(): LarderMemcached => new LarderMemcached();

        return [
            self::ours('larder', 'Larder', $make),
            self::ours(
                'larder-unix',
                'Larder, unix socket',
                $make,
                ['transport' => 'unix socket', 'nodelay' => 'does not apply'],
                needs: Kind::MemcachedUnix,
            ),
            self::ours(
                'larder-unshared',
                'Larder, servers of its own',
                static fn(): LarderMemcached => new LarderMemcached(shared: false),
                ['leases' => 'possible: shared: false, as the documents recommend and MemcachedStore has it'],
            ),
            self::ours(
                'larder-udp',
                'Larder, UDP',
                static fn(): LarderMemcached => new LarderMemcached(udp: true),
                ['transport' => 'gets by UDP where a reply fits a datagram, all else by TCP'],
            ),
            ...array_map(static fn(string $serializer): Definition => self::ours(
                'larder+' . $serializer,
                'Larder, its own ' . $serializer,
                static fn(): LarderMemcached => new LarderMemcached(serializer: $serializer),
                ['serializer' => $serializer . self::SERIALIZED],
                extensions: \in_array($serializer, ['igbinary', 'msgpack'], true) ? [$serializer] : [],
            ), self::SERIALIZERS),
            ...array_map(static fn(string $serializer): Definition => self::ours(
                'larder-usual+' . $serializer,
                'Larder, objects of the usual classes alone, ' . $serializer,
                static fn(): LarderMemcached => new LarderMemcached(serializer: $serializer, usual: true),
                ['serializer' => $serializer . self::SERIALIZED, 'objects' => 'of the usual classes, its default'],
                extensions: \in_array($serializer, ['igbinary', 'msgpack'], true) ? [$serializer] : [],
            ), ['php', 'igbinary', 'msgpack']),
            self::ours(
                'larder-connect',
                'Larder, connecting each time',
                static fn(): ConnectPerCall => new ConnectPerCall(
                    static fn(): LarderMemcached => new LarderMemcached(probe: false),
                    $make,
                ),
                ['persistent' => 'no: connects for each call'],
                ConnectPerCall::class,
            ),
            self::ours(
                'larder-singly',
                'Larder, one by one',
                static fn(): Singly => new Singly($make()),
                class: Singly::class,
            ),
        ];
    }

    /**
     * @param Closure(): Subject    $make
     * @param array<string, string> $terms
     * @param class-string<Subject> $class
     * @param list<string>          $extensions
     */
    private static function ours(
        string $id,
        string $title,
        Closure $make,
        array $terms = [],
        string $class = LarderMemcached::class,
        Kind $needs = Kind::Memcached,
        array $extensions = [],
    ): Definition {
        $terms = [
            'client' => 'Larder\Memcached ' . self::version('larder'),
            'protocol' => 'meta commands with an opaque each; the classic get for many keys',
            'transport' => 'TCP',
            'persistent' => 'yes, its only way',
            'nodelay' => 'on',
            'compression' => 'none, its default',
            'hashing' => 'larder, its default',
            'leases' => 'none: shared: true, its default',
            'time-outs' => 'one for all: that of the bench (5 s); its default is 250 ms',
            'serializer' => 'php' . self::SERIALIZED,
            'objects' => 'of all classes; its default is the usual ones',
            ...$terms,
        ];
        $ini = LocalSubjects::loaded('larder');

        return new Definition(
            $id,
            $title,
            $class,
            $make,
            $needs,
            terms: $terms,
            extensions: ['larder', ...$extensions],
            ini: $ini,
        );
    }

    /**
     * Larder's modules under the names of the others: the same code, in processes that load another file.
     *
     * @return list<Definition>
     */
    private static function modules(): array
    {
        $version = InstalledVersions::getPrettyVersion('symfony/cache') ?? '(absent)';
        $symfony = [
            'client' => "symfony/cache $version on ",
            'protocol' => 'binary, which its connections choose',
            'nodelay' => 'on, as its connections have it',
            'hashing' => 'ketama, as its connections have it',
        ];
        $modules = ['memcached' => LocalSubjects::beside('larder', 'memcached.so')];

        return [
            self::ext(
                'memcached-symfony',
                'symfony/cache by items, ext-memcached',
                [...$symfony, 'client' => $symfony['client'] . self::extDefaults()['client']],
                static fn(): SymfonyItems => new SymfonyItems(),
                SymfonyItems::class,
            ),
            new Definition(
                'larder-memcached-symfony',
                'symfony/cache by items, Larder\'s module',
                SymfonyItems::class,
                static fn(): SymfonyItems => new SymfonyItems(larder: true),
                Kind::Memcached,
                terms: [
                    ...self::extDefaults(),
                    ...$symfony,
                    'client' => $symfony['client'] . self::module('memcached'),
                ],
                modules: $modules,
            ),
            new Definition(
                'larder-memcached',
                'Larder\'s module memcached',
                ExtMemcached::class,
                static fn(): ExtMemcached => new ExtMemcached(larder: true),
                Kind::Memcached,
                terms: [...self::extDefaults(), 'client' => self::module('memcached')],
                modules: $modules,
            ),
            self::pecl(
                'larder-memcache',
                'Larder\'s module memcache',
                static fn(): PeclMemcache => new PeclMemcache(larder: true),
                ['client' => self::module('memcache')],
                ['memcache' => LocalSubjects::beside('larder', 'memcache.so')],
            ),
        ];
    }

    private static function module(string $name): string
    {
        return \sprintf('Larder\'s module %s %s', $name, self::version('larder'));
    }

    private static function raw(string $id, string $title, Kind $needs, bool $meta): Definition
    {
        $make = static fn(): RawMemcached => new RawMemcached($meta);

        return new Definition($id, $title, RawMemcached::class, $make, $needs, Role::Floor, [
            'client' => 'a loop in C that sends prepared requests and receives as many bytes as their replies have',
            'protocol' => 'meta commands' . ($meta ? '' : '; the classic get') . '; no opaque',
            'note' => 'looks at what came last only after a run of calls: the cost of the server and of the system '
                . 'calls',
        ], ['FFI']);
    }

    /** @return array<string, string> */
    private static function extDefaults(): array
    {
        $compression = \sprintf(
            '%s from %s bytes, its default; off from the first append, which it refuses otherwise',
            self::setting('memcached.compression_type', 'fastlz'),
            self::setting('memcached.compression_threshold', '2000'),
        );

        return [
            'client' => \sprintf('ext-memcached %s, libmemcached %s', self::version('memcached'), self::library()),
            'protocol' => 'text',
            'transport' => 'TCP',
            'persistent' => 'no',
            'nodelay' => 'off, its default',
            'compression' => $compression,
            'serializer' => self::setting('memcached.serializer', 'php') . ', its default',
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
        $page = (string) ob_get_clean();

        return preg_match('/libmemcached library version\D+([\d.]+)/', $page, $found) === 1 ? $found[1] : '(unknown)';
    }

    private static function setting(string $name, string $default): string
    {
        $value = ini_get($name);

        return $value === false || $value === '' ? $default : $value;
    }
}
