<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Exploration;

use Larder\Proof\Exploration\ModelServer;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Random\Engine\Mt19937;
use Random\Randomizer;

/** The model of a server says what memcached says. What it says wrong, the exploration would prove of nothing. */
#[CoversNothing]
final class ModelServerTest extends TestCase
{
    private const COMMANDS = [
        'mg %s v', 'mg %s v c', 'mg %s N10 c v', 'md %s', 'md %s q', 'md %s C%d', 'md %s C%d q', 'flush_all',
        "ms %s 0 c T10\r\n", "ms %s 3 C%d\r\nabc", "ms %s 4 c\r\nabcd", "ms %s 2 C%d c\r\nab",
    ];

    /** A CAS number that no item ever has. */
    private const NEVER_GIVEN = 999_999;

    public function testItSaysWhatMemcachedSays(): void
    {
        $directory = new TemporaryDirectory();
        $memcached = new Memcached($directory->path . '/memcached', socket: true);
        $address = 'unix://' . $memcached->endpoint()->socket;
        $random = new Randomizer(new Mt19937(26));
        $words = [];
        try {
            for ($run = 1; $run <= 30; ++$run) {
                $memcached->kill();
                $memcached->restart();
                $words += self::ask($address, $random);
            }
        } finally {
            $memcached->stop();
            $directory->remove();
        }
        ksort($words);
        self::assertSame(['', 'EN', 'EX', 'HD', 'NF', 'OK', 'VA'], array_keys($words), 'All replies came up.');
    }

    /** @return array<string, true> the replies that came up */
    private static function ask(string $address, Randomizer $random): array
    {
        $model = new ModelServer();
        // Later versions of memcached use up a number for a store that they refuse, so only the order is the same.
        $numbers = [self::NEVER_GIVEN => self::NEVER_GIVEN];
        $words = [];
        $history = '';
        for ($step = 1; $step <= 40; ++$step) {
            $form = self::COMMANDS[$random->getInt(0, \count(self::COMMANDS) - 1)] . "\r\n";
            $key = ['a', 'b'][$random->getInt(0, 1)];
            $given = array_keys($numbers)[$random->getInt(0, \count($numbers) - 1)];
            $command = \sprintf($form, $key, $given);
            self::assertSame($command, ModelServer::command($command . 'mn'));
            $expected = $model->does($command);
            if (str_ends_with($command, " q\r\n") && $expected === "NF\r\n") {
                // Memcached 1.6.18 says so, later ones say nothing.
                continue;
            }
            $words[substr($expected, 0, 2)] = true;
            $asked = \sprintf($form, $key, $numbers[$given]);
            $said = (string) Exchange::with($address, $asked . "mn\r\n", "MN\r\n");
            $history .= $asked . $said;
            $number = '/^(?:HD|VA \d+) c\K\d+/';
            if (preg_match($number, $expected, $ours) === 1 && preg_match($number, $said, $theirs) === 1) {
                $numbers[(int) $ours[0]] ??= (int) $theirs[0];
                $expected = (string) preg_replace($number, (string) $numbers[(int) $ours[0]], $expected);
            }
            self::assertSame($expected . "MN\r\n", $said, $history);
        }
        ksort($numbers);
        $theirs = array_values($numbers);
        sort($theirs);
        self::assertSame($theirs, array_values($numbers), 'A later number is a higher one.');

        return $words;
    }
}
