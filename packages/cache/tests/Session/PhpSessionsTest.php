<?php

declare(strict_types=1);

namespace Larder\Tests\Session;

use Larder\Exception\SessionsNotKept;
use Larder\Session\Handler;
use Larder\Session\StoredSessions;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

/** PHP's own session functions over the handler, on memcached and in shared memory. */
#[CoversClass(Handler::class)]
#[CoversClass(StoredSessions::class)]
#[CoversClass(SessionsNotKept::class)]
#[RequiresPhpExtension('session')]
final class PhpSessionsTest extends TestCase
{
    /** Before each program: $store, a handler that is registered, and another request's handler. */
    private const BEGIN = <<<'PHP'
        use Larder\Session\Handler;
        $store = $argv[1] === ''
            ? new Larder\SharedMemory('sessions')
            : Larder\Store\MemcachedStore::on($argv[1], 'sessions');
        $new = fn(): Handler => new Handler($store, 3600.0, 0.0, true, new Psr\Log\NullLogger());
        $handler = $new();
        $other = $new();
        $handler->register();
        $id = str_repeat('a', 32);
        $key = "session:$id";
        $told = [];
        set_error_handler(function (int $level, string $message) use (&$told): bool {
            $told[] = preg_replace('~ \(.*~', '', $message);
            return true;
        });
        PHP;

    private const SETTINGS = [
        'session.use_cookies' => '0',
        'session.use_only_cookies' => '0',
        'session.cache_limiter' => '',
        'session.use_strict_mode' => '0',
        'session.serialize_handler' => 'php',
        'output_buffering' => '1M',
    ];

    private TemporaryDirectory $directory;
    private ?Memcached $server = null;

    protected function setUp(): void
    {
        Extension::file();
        $this->directory = new TemporaryDirectory();
        $this->server = new Memcached($this->directory->path . '/memcached', true, megabytes: 16);
    }

    protected function tearDown(): void
    {
        $this->server?->stop();
        $this->directory->remove();
    }

    public function testSessionsLast(): void
    {
        $this->says(<<<'PHP'
            session_start();
            $_SESSION = ['n' => 1, 'o' => new DateTimeZone('UTC')];
            $made = session_id();
            session_write_close();
            session_id($made);
            session_start();
            echo json_encode([$_SESSION['n'], $_SESSION['o']->getName(), session_id() === $made, $told]);
            PHP, '[1,"UTC",true,[]]');
    }

    public function testAnIdThatPhpDidNotMakeIsNotTaken(): void
    {
        $this->says(<<<'PHP'
            session_id($id);
            session_start();
            echo json_encode([session_id() === $id, $store->has($key), ini_get('session.use_strict_mode')]);
            PHP, '[false,false,"1"]');
    }

    public function testAReaderTakesNoLock(): void
    {
        $this->says(<<<'PHP'
            $store->set($key, 'n|i:7;');
            $other->read($id);
            session_id($id);
            $found = [session_start(['read_and_close' => true]), $_SESSION];
            session_id($id);
            $found[] = session_start(options: ['read_and_close' => '1']);
            session_id($id);
            $found[] = session_start(['read_and_close' => false]);
            echo json_encode([$found, $handler->refusal(), $told, $other->write($id, 'n|i:8;')]);
            PHP, '[[true,{"n":7},true,false],"busy",["session_start(): Failed to read session data: user"],true]');
    }

    public function testAnUnchangedSessionIsOnlyTouched(): void
    {
        $this->says(<<<'PHP'
            $store->set($key, 'n|i:7;', 2000.0);
            $version = $store->read($key)->version;
            session_id($id);
            session_start();
            session_write_close();
            $kept = $store->read($key)->version === $version;
            session_id($id);
            session_start();
            $_SESSION['n']++;
            session_write_close();
            echo json_encode([$kept, $store->get($key), $handler->refusal(), $told]);
            PHP, '[true,"n|i:8;",null,[]]');
    }

    public function testALateWriterIsTold(): void
    {
        $this->says(<<<'PHP'
            $store->set($key, 'n|i:7;');
            session_id($id);
            session_start();
            $_SESSION['n'] = 1;
            $store->delete("$key.lock");
            $other->read($id);
            $other->write($id, 'n|i:8;');
            session_write_close();
            echo json_encode([$store->get($key), $handler->refusal(), $told]);
            PHP, '["n|i:8;","late",["session_write_close(): Failed to write session data using user defined save '
                . 'handler."]]');
    }

    public function testIdsAreExchangedAndSessionsDestroyed(): void
    {
        $this->says(<<<'PHP'
            session_start();
            $_SESSION['n'] = 1;
            $first = session_id();
            session_regenerate_id(true);
            $second = session_id();
            session_regenerate_id(false);
            $third = session_id();
            session_write_close();
            $has = array_map(fn(string $id): bool => $store->has("session:$id"), [$first, $second, $third]);
            session_id($third);
            session_start();
            $kept = $_SESSION;
            session_destroy();
            echo json_encode([$has, $kept, $store->has("session:$third"), $handler->refusal(), $told,
                $other->read($second)]);
            PHP, '[[false,true,true],{"n":1},false,null,[],"n|i:1;"]');
    }

    public function testAResetReadsAnew(): void
    {
        $this->says(<<<'PHP'
            session_start();
            $_SESSION['n'] = 1;
            session_reset();
            $found = $_SESSION;
            $_SESSION['n'] = 2;
            session_abort();
            echo json_encode([$found, $store->has('session:' . session_id()), $handler->refusal(), $told]);
            PHP, '[[],false,null,[]]');
    }

    public function testSharedMemoryIsRefusedUnlessItMayEvict(): void
    {
        $said = Extension::output(['larder.size' => '8M'], <<<'PHP'
            try {
                new Larder\Session\Handler(new Larder\SharedMemory('sessions'));
            } catch (Larder\Exception\SessionsNotKept $exception) {
                echo $exception->getMessage();
            }
            PHP);

        self::assertStringStartsWith('Shared memory drops sessions when it is full', $said);
    }

    public function testItIsRegisteredBeforeASessionIsActive(): void
    {
        $this->says(<<<'PHP'
            session_start();
            try {
                $other->register();
            } catch (Larder\Exception\SessionsNotKept $exception) {
                echo json_encode(substr($exception->getMessage(), 0, 27));
            }
            PHP, '"PHP took no session handler"');
    }

    private function says(string $program, string $expected): void
    {
        $address = $this->server?->endpoint()->address() ?? '';
        foreach (['memcached' => $address, 'shared memory' => ''] as $store => $argument) {
            $said = Extension::output(['larder.size' => '8M'] + self::SETTINGS, self::BEGIN . $program, $argument);
            self::assertSame($expected, $said, $store);
        }
    }
}
