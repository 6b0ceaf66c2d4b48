<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\Followed;
use Larder\Follow\Follower;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Follower::class)]
final class FollowerTest extends TestCase
{
    /** Without a word of the follower they would end, one by one, and nobody would know why. */
    public function testPagesAreNotFollowedByWhatCannotLetThemBeServed(): void
    {
        $followed = new Followed(
            static fn() => throw new LogicException('No test here needs the database.'),
            '/tmp/follow',
            pages: ['/tmp/pages'],
        );

        $this->expectException(LogicException::class);
        $this->expectExceptionMessage('There are pages');
        new Follower($followed);
    }
}
