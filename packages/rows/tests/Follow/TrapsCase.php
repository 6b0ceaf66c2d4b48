<?php

declare(strict_types=1);

namespace Larder\Tests\Follow;

use Larder\Follow\Follower;
use Larder\Memcached;
use Larder\Row\Rows;
use Larder\Store\MemcachedStore;
use Larder\Testbed\Server\Memcached as MemcachedServer;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

/** Changes that look harmless in a log, and are not. */
abstract class TrapsCase extends FollowedDatabaseCase
{
    /** @return iterable<string, array{list<string>}> statements of a program that knows nothing of Larder */
    abstract public static function changes(): iterable;

    /** @param list<string> $statements */
    #[DataProvider('changes')]
    public function testEverythingIsAsInTheDatabaseAfterwards(array $statements): void
    {
        $this->follow();
        $before = $this->known();
        foreach ($statements as $statement) {
            $this->plain->exec($statement);
        }
        self::assertSame($before, $this->known(), 'Nobody has told the store.');
        $this->follow();
        $after = $this->known();
        self::assertNotSame($before, $after);
        $this->store->clear();
        self::assertSame($this->known(), $after);
    }

    public function testTwoFollowersAtOnceDoNoHarm(): void
    {
        $this->follow();
        $this->follow('second');
        $before = $this->known();
        $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
        // The second one does all that the first one does, while the first one is in the middle of it.
        $works = $beats = 0;
        $this->followBy(function (string $step, Follower $first) use (&$works, &$beats): void {
            if ($step === 'raise' && ++$works === 1) {
                $this->follow('second');
                $this->plain->exec("UPDATE news SET title = 'Newer' WHERE id = 5");
            } elseif ($step === 'beat' && ++$beats === 2) {
                $first->stop();
            }
        });
        self::assertGreaterThan(0, $works);
        $after = $this->known();
        self::assertSame(['New', 'Newer'], [self::title($this->news(), 4), self::title($this->news(), 5)]);
        self::assertNotSame($before, $after);
        self::assertSame(0, (int) ($this->counters->all()['larder_follow_failures_total'] ?? 0));
        self::assertSame(2, $this->everything(), 'Each has begun once.');
    }

    /** A server that is started anew has neither rows nor a sign, and takes no row before the next sign. */
    #[RequiresPhpExtension('larder')]
    public function testAMemcachedServerThatIsGoneStopsTheFollowerAndLosesNothing(): void
    {
        $server = new MemcachedServer(self::$directory->path . '/memcached-' . getmypid(), socket: true);
        try {
            $client = new Memcached('unix:' . $server->endpoint()->socket, retry: 1, shared: false);
            $this->store = new MemcachedStore('rows', $client);
            $this->follow();
            $table = (new Rows($this->ledger(), $this->store, followed: true))->table('news');
            self::assertSame('Four', self::title($table, 4));
            self::assertNotNull($this->store->get('news:4'));
            $server->kill();
            $this->plain->exec("UPDATE news SET title = 'New' WHERE id = 4");
            $steps = [];
            $this->followBy(static function (string $step, Follower $follower) use (&$steps, $server): void {
                $steps[] = $step;
                if ($step === 'end' && array_count_values($steps)['end'] === 2) {
                    $server->start();
                } elseif ($step === 'beat' && array_count_values($steps)['beat'] === 2) {
                    $follower->stop();
                }
            });
            $second = array_keys($steps, 'end', true)[1];
            self::assertNotContains('acknowledge', \array_slice($steps, 0, $second), 'The server did not answer.');
            self::assertSame('New', self::title($table, 4));
            self::assertSame(1, $this->everything());
            // Nobody has given a sign since it was started anew.
            $server->kill();
            $server->start();
            self::assertSame('New', self::title($table, 4));
            self::assertNull($this->store->get('news:4'));
            $this->follow();
            self::assertSame('New', self::title($table, 4));
            self::assertNotNull($this->store->get('news:4'));
        } finally {
            $server->stop();
        }
    }

    /**
     * @return array<int, mixed> what rows, unique keys and lists show, out of the store if it has them
     */
    private function known(): array
    {
        $news = $this->news();

        return [
            ...array_map($news->find(...), [4, 5, 6, 14]),
            ...array_map(
                static fn(string $slug): ?array => $news->findBy(['slug' => $slug]),
                ['four', 'five', 'six', 'new'],
            ),
            ...array_map(static fn(int $category): array => $news->findAll('category', $category), [5, 7, 8]),
        ];
    }
}
