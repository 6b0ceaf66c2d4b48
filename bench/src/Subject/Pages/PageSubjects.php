<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Pages;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;

/** The ways to a page through nginx, from a file on the disk to an application that renders it anew. */
final readonly class PageSubjects
{
    /** @return list<Definition> */
    public static function rows(): array
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
