<?php

declare(strict_types=1);

namespace Larder\Proof\Sessions;

use Larder\Memcached;
use Larder\Proof\MissingGuard;
use Larder\Proof\UnguardedStore;
use Larder\Session\Handler;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;
use Psr\Log\NullLogger;
use RuntimeException;

/**
 * The script of php-fpm. A request adds its mark to a session and is answered 200 only if nothing said that this
 * failed. Its word is the session's id, or the marks that are in it.
 */
final class SessionPage
{
    public const LEASE = 1;

    /** Microseconds that a request has the session: most, those whose lock can be taken away, and the too slow ones. */
    private const QUICK = [500, 4_000];
    private const LONG = [100_000, 500_000];
    private const SLOW = [1_200_000, 2_600_000];

    /** One of so many is long or slow. */
    private const EACH_LONG = 19;
    private const EACH_SLOW = 97;

    /** Seconds that a request waits for the session; longer where nothing disturbs it, and for a dead one's lease. */
    private const WAIT = 5.0;
    private const CALM_WAIT = 60.0;
    private const LAST_WAIT = 15.0;

    /** Where a dead one's lease has no end all wait in vain, which some leases show as well. */
    private const VAIN_WAIT = 4.0 * self::LEASE;

    private bool $hasFailed = false;
    private ?Handler $handler = null;

    private function __construct(private readonly Keeper $keeper, private readonly string $directory) {}

    public static function answer(): void
    {
        $page = new self(Keeper::from((string) getenv('TORTURE_KEEPER')), (string) getenv('TORTURE_DIRECTORY'));
        $said = $page->run(...array_map(
            static fn(string $name): string => \is_string($given = $_GET[$name] ?? '') ? $given : '',
            ['do', 'id', 'mark'],
        ));
        if ($said === null) {
            http_response_code(503);
        }
        echo $said;
    }

    private function run(string $do, string $id, string $mark): ?string
    {
        if ($do === 'unlock') {
            $this->unlock($id);

            return '';
        }
        set_error_handler(function (): bool {
            return $this->hasFailed = true;
        });
        if ($this->keeper->isLarder()) {
            $isInVain = getenv('TORTURE_WITHOUT') === MissingGuard::End->value;
            $wait = match (true) {
                $do === 'calm' => self::CALM_WAIT,
                $isInVain => self::VAIN_WAIT,
                $do === 'see' => self::LAST_WAIT,
                default => self::WAIT,
            };
            $this->handler = new Handler(self::store($this->keeper), self::LEASE, $wait, true, new NullLogger());
            $this->handler->register();
        }
        if ($id !== '') {
            session_id($id);
        }
        if (!session_start()) {
            return $this->refused($do, 'not started');
        }

        return $id !== '' && session_id() !== $id ? $this->refused($do, 'gone') : $this->visit($do, (int) $mark);
    }

    private function visit(string $do, int $mark): ?string
    {
        $id = (string) session_id();
        $marks = \is_array($_SESSION['marks'] ?? null) ? $_SESSION['marks'] : [];
        if ($mark > 0) {
            // For who kills, whose aim is better then.
            file_put_contents($this->directory . '/holder', (string) getmypid());
            usleep(mt_rand(...match (true) {
                $do === 'add' && $mark % self::EACH_SLOW === 0 => self::SLOW,
                $do === 'add' && $mark % self::EACH_LONG === 0 => self::LONG,
                default => self::QUICK,
            }));
            $marks[] = $mark;
        }
        $_SESSION['marks'] = $marks;
        session_write_close();
        if ($this->hasFailed || $this->handler?->refusal() !== null) {
            return $this->refused($do, 'not written');
        }

        return $do === 'see' ? implode(' ', array_map(strval(...), array_filter($marks, is_int(...)))) : $id;
    }

    private function refused(string $do, string $cause): null
    {
        $cause = ($do === 'add' ? '' : "$do: ") . ($this->handler?->refusal()->value ?? $cause);
        file_put_contents($this->directory . '/refused', "$cause\n", FILE_APPEND);

        return null;
    }

    /** As if the server had dropped the lock for want of room. */
    private function unlock(string $id): void
    {
        $lock = $this->keeper->lock($id);
        if ($lock === null) {
            self::store($this->keeper, true)->delete("session:$id.lock");
        } elseif ($this->keeper->isOnRedis()) {
            $redis = new \Redis();
            $redis->connect((string) getenv('TORTURE_HOST'), (int) getenv('TORTURE_PORT'));
            $redis->del($lock);
        } else {
            $socket = stream_socket_client('tcp://' . getenv('TORTURE_HOST') . ':' . getenv('TORTURE_PORT'));
            if ($socket !== false) {
                fwrite($socket, "delete $lock\r\n");
                fgets($socket);
            }
        }
    }

    private static function store(Keeper $keeper, bool $whole = false): Store
    {
        $address = getenv('TORTURE_HOST') . ':' . getenv('TORTURE_PORT');
        $store = match ($keeper) {
            Keeper::Memcached => new MemcachedStore('torture', new Memcached($address, timeout: 5000, shared: false)),
            Keeper::Redis => RedisStore::on($address, 'torture', timeout: 5000, survives: true),
            Keeper::Memory => new SharedMemory('torture'),
            default => throw new RuntimeException('No store of Larder.'),
        };

        $missing = MissingGuard::from($whole ? '' : (string) getenv('TORTURE_WITHOUT'));

        return $missing === MissingGuard::None ? $store : new UnguardedStore($store, $missing);
    }
}
