<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject\Pages;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Pages\SitePage;
use Larder\Testbed\Server\Endpoint;
use PHPUnit\Framework\TestCase;

final class PageSubjectsTest extends TestCase
{
    public function testIdsAndRolesAreTheOnesThatResultsAreComparedBy(): void
    {
        self::assertSame([
            'page-static' => Role::Ceiling,
            'page-hit' => Role::Contender,
            'page-memcached' => Role::Contender,
            'page-memcached-connect' => Role::Contender,
            'page-ttl' => Role::Contender,
            'page-echo' => Role::Floor,
            'page-include-1' => Role::Contender,
            'page-include-10' => Role::Contender,
            'page-include-100' => Role::Contender,
            'page-app' => Role::Contender,
            'page-uncached' => Role::Contender,
        ], array_column(
            array_map(static fn(Definition $row): array => [$row->id, $row->role], SitePage::subjects()),
            1,
            0,
        ));
        foreach (SitePage::subjects() as $row) {
            self::assertSame(Kind::Site, $row->needs);
            self::assertInstanceOf(SitePage::class, ($row->make)());
            self::assertArrayHasKey('PHP', $row->terms);
        }
    }

    public function testAPageIsWhereTheSiteHasIt(): void
    {
        $context = new Context(
            [
                new Endpoint(
                    '127.0.0.1',
                    80,
                    extra: [
                        'hit' => 'http://a/1',
                        'hit-38' => 'http://a/2',
                        'uncached' => 'http://a/3',
                        'uncached-38' => 'http://a/4',
                    ],
                ),
            ],
            '/nowhere',
        );
        $page = new SitePage('hit');
        $page->connect($context);

        self::assertSame(['http://a/1', 'http://a/2', null], [$page->url(), $page->sized(38), $page->sized(10)]);
        self::assertSame(
            ['http://a/3', 'http://a/4', null],
            [$page->original(), $page->original(38), $page->original(10)],
        );

        $page->close();
        $this->expectException(Failed::class);
        $page->url();
    }

    public function testASiteWithoutThePageIsSaid(): void
    {
        $this->expectException(NotApplicable::class);
        $this->expectExceptionMessage('the site has no page of this kind');
        (new SitePage('echo'))->connect(
            new Context([new Endpoint('127.0.0.1', 80, extra: ['hit' => 'http://a/1'])], '/nowhere'),
        );
    }
}
