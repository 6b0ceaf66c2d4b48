<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Pages\SitePage;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Endpoint;

/**
 * A closed loop of requests for a page that is stored. A window in which PHP was asked is wrong.
 *
 * Parameters: `connections` (50), and those of PageTargets.
 */
final readonly class StoredPages extends OverHttp
{
    /** @return list<Definition> */
    public static function subjects(): array
    {
        $memcached = 'memcached on a unix socket, over connections that nginx keeps';
        $rows = [
            ['stored-memcached', 'Page store in memcached', 'larder', Kind::MariaDbSite, Role::Contender, $memcached],
            ['stored-srcache', 'A bare srcache_fetch', 'srcache', Kind::MariaDbSite, Role::Contender, $memcached],
            ['stored-pass', 'memcached_pass', 'pass', Kind::MariaDbSite, Role::Contender, $memcached],
            ['stored-files', 'Page store in files', 'larder', Kind::FilesSite, Role::Contender, 'files'],
            ['stored-plain', 'A plain file', 'file', Kind::FilesSite, Role::Ceiling, 'files'],
            ['parts-static', 'Plain SSI over files', 'file', Kind::PartsSite, Role::Ceiling, 'files'],
            ['parts-files', 'Parts in files', 'larder', Kind::PartsSite, Role::Contender, 'files'],
            ['parts-memcached', 'Parts in memcached', 'larder', Kind::MemcachedPartsSite, Role::Contender, $memcached],
        ];

        return array_map(static function (array $row): Definition {
            [$id, $title, $name, $kind, $role, $cache] = $row;
            $isCompressed = str_starts_with($id, 'stored');
            $headers = $name === 'larder' ? ['Cache-Status' => 'larder; hit'] : [];

            return new Definition(
                $id,
                $title,
                SitePage::class,
                static fn(): SitePage => new SitePage($name, $headers, $isCompressed ? ['Accept-Encoding: gzip'] : []),
                $kind,
                $role,
                [
                    'protocol' => 'HTTP/1.1 by nginx',
                    'PHP' => 'none on a hit',
                    'cache' => $cache,
                    'compression' => $isCompressed ? 'gzip, as it is stored' : 'none',
                ],
            );
        }, $rows);
    }

    protected function load(Job $job, Target $target): Measured
    {
        $site = $job->context()->serverOfWorker();
        $before = self::connections($site, 'before');
        $asked = self::asked($site);
        $measured = (new ClosedLoop($job, $target))->window($job->int('connections', 50), true);
        $asked = self::asked($site) - $asked;

        return $asked === 0
            ? $measured->with([...$before, ...self::connections($site, 'after'), 'requests to PHP' => 0.0])
            : throw new WrongReply("{$target->url}: no hits alone, since PHP was asked $asked times");
    }

    /** Requests that PHP ever had. */
    private static function asked(Endpoint $site): int
    {
        $said = (new FastCgi($site->extra['status'] ?? '', '/status'))->get('json', '/status') ?? '';
        $status = json_decode($said, true);
        $accepted = \is_array($status) ? $status['accepted conn'] ?? null : null;

        return \is_int($accepted) ? $accepted : throw new Failed('php-fpm does not say how many requests it had');
    }

    /** @return array<string, float> of memcached, where the pages are there */
    private static function connections(Endpoint $site, string $when): array
    {
        $socket = $site->extra['memcached'] ?? '';
        $stats = $socket === '' ? '' : (string) Exchange::with('unix://' . $socket, "stats\r\n", "END\r\n");
        $isKnown = preg_match('/^STAT curr_connections (\d+)/m', $stats, $found) === 1;

        return $isKnown ? ["connections of memcached, $when" => (float) $found[1]] : [];
    }
}
