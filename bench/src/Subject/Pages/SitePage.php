<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Pages;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Subject;

/**
 * A page of the example site, by its name: "static", "hit", "include-10". A load generator asks for it over HTTP.
 * connect() takes the site's endpoint, and opens nothing.
 */
final class SitePage implements Subject
{
    /** @var array<string, string> addresses by name */
    private array $urls = [];

    /**
     * @param string                $name    in Endpoint::$extra; with `-38` behind it for the one of 38 KB
     * @param array<string, string> $headers that every reply has, which nothing but this way of making the page sets
     * @param list<string>          $asking  headers of every request
     */
    public function __construct(
        private readonly string $name,
        public readonly array $headers = [],
        public readonly array $asking = [],
    ) {}

    public function connect(Context $context): void
    {
        $this->urls = ($context->endpoints[0] ?? throw Failed::connecting($this->name, 'no site was started'))->extra;
        $this->url();
    }

    public function url(): string
    {
        if ($this->urls === []) {
            throw Failed::connecting($this->name, 'no site was started');
        }

        return $this->urls[$this->name] ?? throw new NotApplicable('the site has no page of this kind');
    }

    /**
     * @param int|string $kind kilobytes, or `3-parts`
     *
     * @return string|null null: the site has no such page
     */
    public function sized(int|string $kind): ?string
    {
        return $this->urls[$this->name . '-' . $kind] ?? null;
    }

    /** The same bytes by the application itself, without any cache; null: the server says nothing of it. */
    public function original(int|string|null $kind = null): ?string
    {
        return $this->urls['uncached' . ($kind === null ? '' : '-' . $kind)] ?? null;
    }

    public function close(): void
    {
        $this->urls = [];
    }

    /**
     * The ways to a page through nginx, from a file on the disk to an application that renders it anew.
     *
     * @return list<Definition>
     */
    public static function subjects(): array
    {
        $php = ['PHP' => 'php-fpm over a unix socket, opcache on, JIT off'];

        return [
            self::row(
                'page-static',
                'Static file',
                'static',
                Role::Ceiling,
                ['PHP' => 'none', 'cache' => "nginx, a file of the page's bytes"],
            ),
            self::row(
                'page-hit',
                'Page store, hit',
                'hit',
                Role::Contender,
                ['PHP' => 'none on a hit', 'cache' => "this project's page store, read by nginx"],
                ['Cache-Status' => 'larder; hit'],
            ),
            self::row(
                'page-memcached',
                'memcached, asked by nginx itself',
                'memcached',
                Role::Contender,
                ['PHP' => 'none', 'cache' => 'memcached over connections that nginx keeps; nothing makes it end'],
            ),
            self::row(
                'page-memcached-connect',
                'memcached, asked by nginx itself, connecting each time',
                'memcached-connect',
                Role::Contender,
                ['PHP' => 'none', 'cache' => 'memcached over a new connection each time; nothing makes it end'],
            ),
            self::row(
                'page-ttl',
                'Page kept for a time',
                'ttl',
                Role::Contender,
                ['PHP' => 'none on a hit', 'cache' => 'fastcgi_cache of nginx for an hour, whatever changes'],
            ),
            self::row('page-echo', 'PHP that only echoes', 'echo', Role::Floor, [...$php, 'cache' => 'none']),
            self::row('page-include-1', 'PHP, 1 include', 'include-1', Role::Contender, [...$php, 'cache' => 'none']),
            self::row(
                'page-include-10',
                'PHP, 10 includes',
                'include-10',
                Role::Contender,
                [...$php, 'cache' => 'none'],
            ),
            self::row(
                'page-include-100',
                'PHP, 100 includes',
                'include-100',
                Role::Contender,
                [...$php, 'cache' => 'none'],
            ),
            self::row(
                'page-app',
                'Application with Larder, no page stored',
                'app',
                Role::Contender,
                [...$php, 'cache' => 'objects and fragments, no pages'],
            ),
            self::row(
                'page-uncached',
                'Application, no cache',
                'uncached',
                Role::Contender,
                [...$php, 'cache' => 'none'],
            ),
        ];
    }

    /**
     * @param array<string, string> $terms
     * @param array<string, string> $headers
     */
    private static function row(
        string $id,
        string $title,
        string $name,
        Role $role,
        array $terms,
        array $headers = [],
    ): Definition {
        return new Definition(
            $id,
            $title,
            SitePage::class,
            static fn(): SitePage => new SitePage($name, $headers),
            Kind::Site,
            $role,
            ['protocol' => 'HTTP/1.1 by nginx', ...$terms, 'compression' => 'none'],
        );
    }
}
