<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Page\GuardedServers;
use Larder\Page\PageServers;
use Larder\Page\ServerReport;
use Larder\Page\Site;
use Larder\Sql\Ledger\SqlLedger;

/** @internal Asks the memcached servers of the pages. */
final readonly class PoolChecks
{
    /** Share of a server's connections that is nearly all of them. */
    private const MANY = 0.9;

    /** Microseconds that a page may take between the ledger and its server. */
    private const PAUSE = 200_000;

    /** Of memcached; before it, the meta commands had other flags. */
    private const OLDEST = '1.6.10';

    public function __construct(
        private Site $site,
        private PageServers $servers,
        private ?SqlLedger $ledger,
    ) {}

    /**
     * @param string|null $life of the ledger; null: it is not known
     *
     * @return list<Check>
     */
    public function checks(?string $life, string $release): array
    {
        $all = $this->servers->reports();
        $up = array_values(array_filter($all, static fn(ServerReport $server): bool => $server->failure === null));
        $silent = array_filter($all, static fn(ServerReport $server): bool => $server->failure !== null);
        $checks = [Check::that(
            'the memcached servers of the pages answer',
            $silent === [],
            self::each($silent, static fn(ServerReport $server): string => (string) $server->failure)
                . '. Start them, or take those that are gone out of Storage::$memcached and deploy',
        ), ...$this->guard()];
        if ($up === []) {
            return $checks;
        }

        return [
            ...$checks,
            ...$this->ofSettings($up),
            ...$this->ofUse($up),
            ...$this->ofKeys($up, $life, $release),
        ];
    }

    /** @return list<Check> */
    private function guard(): array
    {
        $guarded = GuardedServers::of($this->site);
        if ($guarded === null) {
            return [];
        }
        $runs = 'larder guard runs on this host';
        if ($guarded->out() === null) {
            $remedy = "there is no {$guarded->path()}, which nginx includes: run larder guard --once, then let it run";

            return [Check::failed($runs, $remedy)];
        }
        $lock = $guarded->isGuarded();

        return [match ($lock) {
            true => Check::ok($runs),
            false => Check::failed($runs, 'start it: a server that hangs would make visitors and writers wait'),
            null => Check::remark($runs, 'its lock cannot be read: run doctor as root'),
        }];
    }

    /**
     * @param non-empty-list<ServerReport> $up
     *
     * @return list<Check>
     */
    private function ofSettings(array $up): array
    {
        $room = array_sum(array_map(static fn(ServerReport $one): int => $one->number('limit_maxbytes'), $up));
        $small = self::those($up, fn(ServerReport $one): bool
            => (int) $one->setting('item_size_max') < $this->site->limits->pageBytes);
        $item = 'the memcached servers take a page of Limits::$pageBytes';

        return [
            self::all(
                $up,
                'the memcached servers are of version ' . self::OLDEST . ' or later, with CAS and flush_all',
                static fn(ServerReport $one): bool => version_compare($one->version(), self::OLDEST, '>=')
                    && $one->setting('cas_enabled') !== 'no' && $one->setting('flush_enabled') !== 'no',
                static fn(ServerReport $one): string => $one->version() . ', cas ' . $one->setting('cas_enabled')
                    . ', flush_all ' . $one->setting('flush_enabled'),
                'start them without -C and -F',
            ),
            $small === [] ? Check::ok($item) : Check::remark($item, self::each(
                $small,
                static fn(ServerReport $one): string => $one->setting('item_size_max') . ' bytes',
            ) . \sprintf('. A compressed page that is larger is not stored; start them with -I %dm', max(
                2,
                (int) ceil($this->site->limits->pageBytes / (1 << 20)) + 1,
            ))),
            $room >= $this->site->limits->bytes
                ? Check::ok('the memcached servers have room for Limits::$bytes')
                : Check::remark('the memcached servers have room for Limits::$bytes', \sprintf(
                    'they have %.1f MB in all and Limits::$bytes is %.1f MB: start them with a larger -m, or make '
                        . 'Limits::$bytes smaller',
                    $room / (1 << 20),
                    $this->site->limits->bytes / (1 << 20),
                )),
        ];
    }

    /**
     * @param non-empty-list<ServerReport> $up
     *
     * @return list<Check>
     */
    private function ofUse(array $up): array
    {
        $evicting = self::those($up, static fn(ServerReport $one): bool => $one->number('evictions') > 0);
        $full = self::those($up, static fn(ServerReport $one): bool => self::refusals($one) > 0
            || $one->number('curr_connections') > self::MANY * $one->number('max_connections'));
        $pages = 'the memcached servers have displaced no page';
        $connections = 'the memcached servers have connections left';

        return [
            $evicting === [] ? Check::ok($pages) : Check::remark($pages, self::each(
                $evicting,
                static fn(ServerReport $one): string => $one->number('evictions') . ' since it was started',
            ) . '. Start them with a larger -m, or make Limits::$bytes smaller'),
            $full === [] ? Check::ok($connections) : Check::failed($connections, self::each(
                $full,
                static fn(ServerReport $one): string => $one->number('curr_connections') . ' of '
                    . $one->number('max_connections') . ', and '
                    . self::refusals($one)
                    . ' times there was none',
            ) . '. Start them with a larger -c: each worker of nginx keeps up to 32, each of php-fpm one'),
        ];
    }

    /**
     * @param non-empty-list<ServerReport> $up
     *
     * @return list<Check>
     */
    private function ofKeys(array $up, ?string $life, string $release): array
    {
        $foreign = self::those($up, static fn(ServerReport $one): bool
            => $life !== null && $one->life !== null && $one->life !== $life);
        $belong = 'the pages in memcached belong to this ledger';
        $own = $others = [];
        foreach ($up as $server) {
            [$keys, $strangers] = $this->servers->some($server->address);
            $own[$server->address] = $keys;
            $others = [...$others, ...\array_slice($strangers, 0, 1)];
        }
        $checks = [
            Check::that(
                'the memcached servers have nothing but these pages',
                $others === [],
                'there is "' . addcslashes($others[0] ?? '', "\0..\37\177..\377") . '" too, which each deploy and '
                    . 'flush removes, and whoever put it there can change pages: give the pages servers of their own',
            ),
            Check::that($belong, $foreign === [], self::each(
                $foreign,
                static fn(): string => 'another ledger\'s',
            ) . '. Run larder flush, and give each site and each database servers of its own'),
        ];
        if ($this->ledger === null || $life === null || $foreign !== []) {
            return $checks;
        }
        $strays = $this->strays($this->ledger, $own, $release);

        return [...$checks, Check::that(
            'the pages in memcached are registered in the ledger',
            $strays === [],
            \sprintf(
                '%d, such as %s, are not, so no change would drop them: run larder flush',
                \count($strays),
                $strays[0] ?? '',
            ),
        )];
    }

    /**
     * @param array<string, list<string>> $keys of pages and drafts by server
     *
     * @return list<string> keys of pages that no ledger has
     */
    private function strays(SqlLedger $ledger, array $keys, string $release): array
    {
        $registered = $ledger->index()->pages($release);
        $strays = array_filter(array_map(static fn(array $some): array => array_diff($some, $registered), $keys));
        if ($strays === []) {
            return [];
        }
        // Some are being made or dropped just now.
        usleep(self::PAUSE);
        $registered = $ledger->index()->pages($release);
        $found = [];
        foreach ($strays as $address => $some) {
            foreach (array_diff($some, $registered) as $key) {
                if ($this->servers->hasPage($address, $key)) {
                    $found[] = $key;
                }
            }
        }

        return $found;
    }

    /** How often there was no connection left, by either way of saying so. */
    private static function refusals(ServerReport $server): int
    {
        return $server->number('listen_disabled_num') + $server->number('rejected_connections');
    }

    /**
     * @param non-empty-list<ServerReport>  $servers
     * @param callable(ServerReport): bool   $holds
     * @param callable(ServerReport): string $found
     */
    private static function all(array $servers, string $name, callable $holds, callable $found, string $do): Check
    {
        $wrong = self::those($servers, static fn(ServerReport $one): bool => !$holds($one));

        return Check::that($name, $wrong === [], self::each($wrong, $found) . '. ' . ucfirst($do));
    }

    /**
     * @param list<ServerReport>           $servers
     * @param callable(ServerReport): bool $are
     *
     * @return list<ServerReport>
     */
    private static function those(array $servers, callable $are): array
    {
        return array_values(array_filter($servers, $are));
    }

    /**
     * @param array<ServerReport>            $servers
     * @param callable(ServerReport): string $found
     */
    private static function each(array $servers, callable $found): string
    {
        return implode('; ', array_map(
            static fn(ServerReport $one): string => $one->address . ': ' . $found($one),
            $servers,
        ));
    }
}
