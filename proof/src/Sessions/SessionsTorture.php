<?php

declare(strict_types=1);

namespace Larder\Proof\Sessions;

use Larder\Proof\About;
use Larder\Proof\MissingGuard;
use Larder\Proof\Option;
use Larder\Proof\Result;
use Larder\Proof\Run;
use Larder\Proof\ServedPage;
use Larder\Proof\Torture;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Redis;
use RuntimeException;

/**
 * Fifty clients ask a real php-fpm for one session, whose workers are killed meanwhile.
 *
 * A round is one session. Every request has a mark of its own, a number. What must hold at the end of a round: each
 * mark whose request was answered 200 is in the session, exactly once; and a request that comes alone gets the session,
 * however the ones before it ended.
 */
final class SessionsTorture implements Torture
{
    private const CLIENTS = 50;

    private const FPM = '/fpm';

    /** Seconds that a request may take. */
    private const LONGEST = 90;

    /** Requests of a client in one round; the first round, without kills, has one of each. */
    private const REQUESTS = 4;

    /** Seconds in which a round must have ended: a request waits for 5 at most, and a client asks 4 times. */
    private const PATIENCE = 120.0;

    /** Microseconds between two kills. */
    private const PAUSE = [20_000, 200_000];

    /** One of so many times a lock is taken away too. */
    private const EACH_UNLOCK = 3;

    /** Beside a worker for each client, so that who takes locks away need not wait. */
    private const SPARE = 2;

    /** Milliseconds that a write in shared memory waits for a lock. */
    private const LOCK_TIMEOUT = '5000';

    /** The last process that was killed. */
    private int $killed = 0;

    public function about(): About
    {
        $keepers = array_map(static fn(Keeper $keeper): string => $keeper->value, Keeper::cases());

        return new About(
            'sessions',
            'Lets fifty clients write one session at once, kills them meanwhile, and looks for what was lost',
            <<<'HELP'
            Example: <info>script/torture sessions --kills=1000</info>

            In the first round fifty requests come at once, and nothing is killed. In all others workers of php-fpm are
            killed, most of them while they hold the session; some requests take longer than their lease; and locks are
            taken away early, as by a server that is full. Each request adds a mark to the session. The exit code is 1
            if a mark that was answered 200 is not in the session at the end of its round, or is there twice, if the
            session was still locked when its last lease was over, or if one of the first fifty requests was refused.
            --keeper=php-memcached and others torment other session handlers: what they lose is shown, and the exit code
            is 0. --without=fence stores whatever was stored meanwhile, --without=end has leases without an end: both
            must be found.
            HELP,
            [
                Option::number('kills', 'How many workers are killed', 0, 100_000, 200),
                Option::choice('keeper', 'Who keeps the sessions', $keepers, Keeper::Memcached->value),
                Option::guard('without', 'A guard that is taken away', MissingGuard::Fence, MissingGuard::End),
                Option::seed(),
                Option::extension(),
            ],
        );
    }

    public function run(Run $run): Result
    {
        $keeper = Keeper::from($run->text('keeper'));
        mt_srand($run->seed());
        $page = self::start($run, $keeper);
        $tally = new SessionTally();
        $this->round($run, $page, $tally, 1, false);
        $refused = self::CLIENTS - $tally->answered;
        $missing = MissingGuard::from($run->text('without'));
        // Each would wait in vain for the lease of one that is dead.
        $requests = $missing === MissingGuard::End ? 1 : self::REQUESTS;
        while ($tally->kills < $run->number('kills') && ($missing === MissingGuard::None || $tally->wrong === [])) {
            $this->round($run, $page, $tally, $requests, true);
            $run->tell($tally->line());
        }

        return $tally->result($run->directory() . self::FPM . '/refused', $keeper, $refused, self::CLIENTS);
    }

    private static function start(Run $run, Keeper $keeper): ServedPage
    {
        $extension = Extension::at($run->extension());
        $server = $run->directory() . '/server';
        $server = $keeper->isOnRedis() ? new Redis($server) : new Memcached($server);
        $run->atEnd($server->stop(...));
        ['host' => $host, 'port' => $port] = (array) $server->endpoint();
        $settings = [
            ['extension', $extension->file],
            ['larder.size', '16M'],
            ['larder.namespace', 'torture'],
            // On a busy machine one who has a lock may sleep longer than 100 ms, and all who wait would be refused.
            ['larder.lock_timeout', self::LOCK_TIMEOUT],
        ];
        $isModule = $keeper === Keeper::LarderModule;
        if ($isModule) {
            $settings[] = ['extension', \dirname($extension->file) . '/memcached.so'];
        }

        return ServedPage::start(
            $run,
            $run->directory() . self::FPM,
            SessionPage::class,
            self::CLIENTS + self::SPARE,
            $settings,
            [
                'TORTURE_KEEPER' => $keeper->value,
                'TORTURE_DIRECTORY' => $run->directory() . self::FPM,
                'TORTURE_HOST' => $host,
                'TORTURE_PORT' => (string) $port,
                'TORTURE_WITHOUT' => $run->text('without'),
            ],
            $isModule ? ['memcached'] : [],
            [
                'session.use_cookies' => '0',
                'session.cache_limiter' => '',
                'session.gc_probability' => '0',
                ...$keeper->settings($host, $port, SessionPage::LEASE + 1),
            ],
        );
    }

    /** One session from its first request to the last look at it. */
    private function round(Run $run, ServedPage $served, SessionTally $tally, int $requests, bool $rough): void
    {
        $page = $served->client(self::LONGEST);
        $id = $page->get('do=new') ?? throw new RuntimeException('No session could be begun.');
        $board = Board::create(['done' => self::CLIENTS]);
        $answered = $run->directory() . "/answered-$tally->rounds";
        touch($answered);
        $first = $tally->marks;
        $do = $rough ? 'add' : 'calm';
        $ask = static function (int $number) use ($page, $id, $requests, $board, $answered, $first, $do): void {
            for ($request = 0; $request < $requests; ++$request) {
                $mark = $first + 1 + $number * $requests + $request;
                if ($page->get("do=$do&id=$id&mark=$mark") === $id) {
                    file_put_contents($answered, "$mark\n", FILE_APPEND);
                }
            }
            $board->set('done', 1, $number);
        };
        // A lease without an end must stay where its process died.
        $unlocks = $run->text('without') !== MissingGuard::End->value;
        $clients = $run->pool($ask, mt_rand());
        $clients->fill(self::CLIENTS);
        $deadline = microtime(true) + self::PATIENCE;
        while ($rough && $board->sum('done') < self::CLIENTS && microtime(true) < $deadline) {
            usleep(mt_rand(...self::PAUSE));
            $tally->killed(...$this->kill($run->directory() . self::FPM . '/holder', $served->php->workers()));
            if ($unlocks && mt_rand(1, self::EACH_UNLOCK) === 1) {
                $page->get("do=unlock&id=$id");
                ++$tally->unlocks;
            }
        }
        foreach ($clients->end(self::PATIENCE) as $end) {
            if (!$end->finished) {
                $tally->wrong[] = 'a client ' . $end->reason();
            }
        }
        // One that was killed just now could still take the last request, and die with it.
        while ($this->killed > 0 && posix_kill($this->killed, 0) && microtime(true) < $deadline + self::PATIENCE) {
            usleep(1_000);
        }
        $seen = $page->get("do=see&id=$id");
        $tally->judge($id, $seen, (string) file_get_contents($answered), self::CLIENTS * $requests);
        $board->remove();
    }

    /**
     * @param string    $file    where the holder of the session says who it is
     * @param list<int> $workers
     *
     * @return array{bool, bool} whether a worker was killed, and whether it held the session just before
     */
    private function kill(string $file, array $workers): array
    {
        $holder = (int) @file_get_contents($file);
        $isHolder = mt_rand(0, 3) > 0 && \in_array($holder, $workers, true);
        @unlink($file);
        $worker = $isHolder ? $holder : ($workers === [] ? 0 : $workers[array_rand($workers)]);

        $this->killed = $worker > 0 && posix_kill($worker, SIGKILL) ? $worker : $this->killed;

        return [$worker > 0 && $this->killed === $worker, $isHolder];
    }
}
