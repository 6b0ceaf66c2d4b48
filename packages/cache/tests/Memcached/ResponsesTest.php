<?php

declare(strict_types=1);

namespace Larder\Tests\Memcached;

use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** What comes of each thing that a server may say, as docs/how-to/memcached.md has it. */
#[CoversNothing]
final class ResponsesTest extends TestCase
{
    public function testEachRowOfTheTable(): void
    {
        $guide = (string) file_get_contents(\dirname(__DIR__, 4) . '/docs/how-to/memcached.md');
        $count = preg_match_all('/^\| `([^`]+)` \| (\w+) \| ([\w ]+?) \| (\w*) ?\|$/m', $guide, $rows, PREG_SET_ORDER);
        self::assertGreaterThan(30, $count);
        $asked = array_map(static fn(array $row): array => [$row[1], $row[2]], $rows);
        $process = Extension::process([], __DIR__ . '/responses.php', json_encode($asked, JSON_THROW_ON_ERROR));
        $process->run();
        $found = json_decode($process->getOutput(), true);
        self::assertIsArray($found, $process->getOutput() . $process->getErrorOutput());
        $told = array_map(
            static fn(array $row, mixed $result): array => [$row[1], $row[2], ...(array) $result],
            $rows,
            $found,
        );

        self::assertSame(array_map(static fn(array $row): array => \array_slice($row, 1), $rows), $told);
    }

    public function testARefusedPasswordIsTriedAFewTimesAndEachTimeLater(): void
    {
        $directory = new TemporaryDirectory('larder-denied');
        file_put_contents($directory->path . '/users', "site:right\n");
        chmod($directory->path, 0o755);
        $server = new Memcached($directory->path . '/memcached', options: ['-Y', $directory->path . '/users']);
        try {
            $port = $server->endpoint()->port;
            [$attempts, $calls, $kinds, $others] = $this->told(<<<PHP
                \$make = static fn(int \$retry, string \$prefix, string \$password): Larder\\Memcached
                    => new Larder\\Memcached('127.0.0.1:$port', \$prefix, 5000, \$retry, user: 'site',
                        password: \$password);
                \$client = \$make(10, 'a', 'wrong');
                \$attempts = \$kinds = [];
                \$calls = 0;
                while (count(\$attempts) < 6) {
                    \$began = hrtime(true) / 1e6;
                    \$client->get('k');
                    ++\$calls;
                    \$kind = \$client->failures()[0]->kind->name;
                    \$kinds[\$kind] = true;
                    if (\$kind === 'Denied') {
                        \$attempts[] = [\$began, hrtime(true) / 1e6];
                    }
                }
                \$long = \$make(60000, 'b', 'wrong');
                for (\$call = 0; \$call < 1000; ++\$call) {
                    \$long->get('k');
                }
                // The pause is that of a pool, not of the server: another one is not kept waiting by it.
                \$right = \$make(60000, 'c', 'right')->set('k', 1)->name;
                echo json_encode([\$attempts, \$calls, array_keys(\$kinds), [
                    \$long->info()['127.0.0.1:$port']['connects'], \$right]]);
                PHP);
        } finally {
            $server->stop();
            $directory->remove();
        }
        self::assertIsArray($attempts);
        self::assertSame([['Denied', 'Down'], [1, 'Done']], [$kinds, $others]);
        self::assertGreaterThan(6, $calls);
        // Never earlier than the pause; how much later is the machine's affair, and so is how long this process slept
        // after a call: from the beginning of one attempt to the end of the next. The first may be half as long.
        for ($attempt = 2; $attempt < 6; ++$attempt) {
            [$before, $after] = [$attempts[$attempt - 1], $attempts[$attempt]];
            self::assertIsArray($before);
            self::assertIsArray($after);
            [$began, $ended] = [$before[0], $after[1]];
            self::assertIsFloat($began);
            self::assertIsFloat($ended);
            self::assertGreaterThanOrEqual(10 * 2 ** ($attempt - 2), $ended - $began, "attempt $attempt");
        }
    }

    /** @return array<mixed> */
    private function told(string $code): array
    {
        $process = Extension::process([], '-r', $code);
        $process->run();
        $told = json_decode($process->getOutput(), true);
        self::assertIsArray($told, $process->getOutput() . $process->getErrorOutput());

        return $told;
    }
}
