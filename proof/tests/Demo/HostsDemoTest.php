<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Demo;

use Larder\Proof\Demo\DemoCommand;
use Larder\Proof\Demo\HostsDemo;
use Larder\Proof\Pages\HotItems;
use Larder\Proof\Pages\PagesTorture;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Output\BufferedOutput;
use Symfony\Component\Console\Tester\CommandTester;

/** `script/demo --hosts=2` in small. */
#[CoversClass(HostsDemo::class)]
#[CoversClass(DemoCommand::class)]
final class HostsDemoTest extends TestCase
{
    #[TestWith([DatabaseKind::MariaDb])]
    #[TestWith([DatabaseKind::PostgreSql])]
    public function testAnEditOnOneHostIsSeenOnTheOther(DatabaseKind $kind): void
    {
        $result = [];
        $said = '';
        // A busy machine does little in half a second.
        foreach ([0.5, 10.0, 50.0] as $seconds) {
            [$result, $said] = self::demo($kind, $seconds);
            if (!\in_array(0, [$result['changes'], $result['hits']], true)) {
                break;
            }
        }

        self::assertSame([
            ['host' => 1, 'what' => 'made', 'status' => 'larder; fwd=miss; stored', 'title' => '[4:1]'],
            ['host' => 2, 'what' => 'out of memcached', 'status' => 'larder; hit', 'title' => '[4:1]'],
            ['host' => 2, 'what' => 'made anew', 'status' => 'larder; fwd=miss; stored',
                'title' => 'Edited on host 1'],
            ['host' => 1, 'what' => 'out of memcached', 'status' => 'larder; hit', 'title' => 'Edited on host 1'],
        ], $result['steps']);
        self::assertSame([true, 0, 0], [$result['clean'], $result['stale'], $result['wrong']]);
        self::assertGreaterThan(0, $result['changes']);
        self::assertGreaterThan(0, $result['hits']);
        self::assertMatchesRegularExpression(
            '/^edits on host 1: \d+ changes, \d+ GETs checked on all hosts, \d+ hits, 0 stale$/m',
            $said,
        );
    }

    /** @return array{array<string, mixed>, string} the result, and what was printed */
    private static function demo(DatabaseKind $kind, float $seconds): array
    {
        $directory = new TemporaryDirectory();
        chmod($directory->path, 0o755);
        $database = Database::start($kind, $directory->path . '/data');
        HotItems::fill($database, PagesTorture::site());
        $demo = new HostsDemo(PagesTorture::site(), $directory->path, $database, 2);
        $output = new BufferedOutput();
        try {
            return [$demo->run($seconds, static fn() => null, $output), $output->fetch()];
        } finally {
            $demo->stop();
            $directory->remove();
        }
    }

    /** @param array<string, string> $options */
    #[TestWith([['--hosts' => '2'], '--hosts: several need --database=mariadb'])]
    #[TestWith([['--hosts' => '5', '--database' => 'mariadb'], '[--hosts=1..4]'])]
    #[TestWith([['--hosts' => 'x', '--database' => 'mariadb'], '[--hosts=1..4]'])]
    public function testWhatCannotBeDoneIsSaid(array $options, string $words): void
    {
        $tester = new CommandTester(new DemoCommand());

        self::assertSame(2, $tester->execute($options, ['capture_stderr_separately' => true]));
        self::assertStringContainsString($words, $tester->getErrorOutput());
    }
}
