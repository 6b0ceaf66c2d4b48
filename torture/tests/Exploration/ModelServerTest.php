<?php

declare(strict_types=1);

namespace Larder\Torture\Tests\Exploration;

use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use Larder\Torture\Exploration\ModelServer;
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
                $model = new ModelServer();
                $asked = $said = '';
                for ($step = 1; $step <= 40; ++$step) {
                    $form = self::COMMANDS[$random->getInt(0, \count(self::COMMANDS) - 1)];
                    $command = \sprintf($form, ['a', 'b'][$random->getInt(0, 1)], $random->getInt(1, $step)) . "\r\n";
                    self::assertSame($command, ModelServer::command($command . 'mn'));
                    $reply = $model->does($command);
                    if (str_ends_with($command, " q\r\n") && $reply === "NF\r\n") {
                        // Memcached 1.6.18 says so, later ones say nothing.
                        continue;
                    }
                    $words[substr($reply, 0, 2)] = true;
                    $asked .= $command;
                    $said .= $reply;
                }
                self::assertSame($said . "MN\r\n", Exchange::with($address, $asked . "mn\r\n", "MN\r\n", 5.0), $asked);
            }
        } finally {
            $memcached->stop();
            $directory->remove();
        }
        ksort($words);
        self::assertSame(['', 'EN', 'EX', 'HD', 'NF', 'OK', 'VA'], array_keys($words), 'All replies came up.');
    }
}
