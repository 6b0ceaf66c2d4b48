<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Store\SharedMemoryStore;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** An application runs where there is no shared memory, and its log says once what to do. */
#[CoversNothing]
#[Group('without')]
final class WithoutSharedMemoryTest extends TestCase
{
    private const PROGRAM = <<<'PHP'
        $log = new Larder\Tests\Support\TestLog();
        $store = Larder\Store\SharedMemoryStore::on('site', $log);
        $set = $store->set('k', 1)->name;
        $answer = $store->getOrLease('k');
        $leased = $store->set('k', 1, lease: $answer->lease)->name;
        $quiet = Larder\Store\SharedMemoryStore::on(log: new Psr\Log\NullLogger());
        $found = [$set, $store->get('k', 'missed'), $answer->hit, $answer->lease !== null, $leased, $quiet->has('k')];
        echo json_encode([...$found, $log->lines()]);
        PHP;

    private const BEHAVIOUR = ['Refused', 'missed', false, true, 'Refused', false];

    public function testWithoutTheExtension(): void
    {
        // No php.ini: so none that loads the extension.
        $process = new Process([
            PHP_BINARY,
            '-n',
            '-r',
            'require ' . var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true) . ';' . self::PROGRAM,
        ]);
        $process->mustRun();

        self::assertSame(
            [
                ...self::BEHAVIOUR,
                [
                    'warning: Nothing is cached in shared memory: the PHP extension larder is not loaded. Add '
                        . 'extension=larder.so to the php.ini of this PHP.',
                ],
            ],
            json_decode($process->getOutput(), true),
        );
    }

    public function testWithoutASegment(): void
    {
        $found = json_decode(Extension::output(['larder.size' => '0'], self::PROGRAM), true);

        self::assertIsArray($found);
        $lines = array_pop($found);
        self::assertSame(self::BEHAVIOUR, $found);
        self::assertIsArray($lines);
        self::assertCount(1, $lines);
        self::assertIsString($lines[0]);
        self::assertMatchesRegularExpression(
            '/^warning: Nothing is cached in shared memory: .*larder\.size is 0.*Check larder\.size/',
            $lines[0],
        );
    }

    public function testANamespaceThatCannotBeIsAMistake(): void
    {
        $program = \sprintf(
            'try { %s::on(str_repeat("n", 64)); } catch (ValueError $error) { echo "refused"; }',
            SharedMemoryStore::class,
        );

        self::assertSame('refused', Extension::output([], $program));
    }

    public function testWithoutTheExtensionThereIsNoMemcachedEither(): void
    {
        $program = <<<'PHP'
            $log = new Larder\Tests\Support\TestLog();
            $store = Larder\Store\MemcachedStore::on('127.0.0.1:1', 'site', $log);
            $found = [$store->set('k', 1)->name, $store->get('k', 'missed'), $store->getOrLease('k')->lease !== null];
            echo json_encode([...$found, $log->lines()]);
            PHP;
        $process = new Process([
            PHP_BINARY,
            '-n',
            '-r',
            'require ' . var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true) . ';' . $program,
        ]);
        $process->mustRun();

        self::assertSame(
            [
                'Refused',
                'missed',
                true,
                [
                    'warning: Nothing is cached on memcached: the PHP extension larder is not loaded. Add '
                        . 'extension=larder.so to the php.ini of this PHP.',
                ],
            ],
            json_decode($process->getOutput(), true),
        );
    }
}
