<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Endpoint;

/**
 * A change of one item in a fresh request, by plain SQL or told to Larder. The script of the site stores the pages that
 * it drops, looks whether they are gone, and takes the time.
 *
 * Parameters: `pages` that the change drops (0), and `beside` (false): whether their directory has another one.
 */
final class SiteChange implements Timed
{
    private const SECONDS = 100;

    private ?Endpoint $site = null;

    /** @param 0|1 $which of what the script says */
    public function __construct(private readonly int $which) {}

    public function connect(Context $context): void
    {
        $this->site = $context->serverOfWorker();
    }

    public function once(Job $job): array
    {
        $extra = $this->site->extra ?? [];
        $query = http_build_query([
            'pages' => $job->int('pages', 0),
            'beside' => ($job->parameters['beside'] ?? false) === true ? '1' : '0',
        ]);
        $client = new FastCgi($extra['php'] ?? '', ($extra['scripts'] ?? '') . '/change.php', self::SECONDS);
        $took = json_decode((string) $client->get($query, '/change'), true);
        [$time, $cpu] = (\is_array($took) && \is_array($took[$this->which] ?? null) ? $took[$this->which] : []) + [0, 0];

        return \is_int($time) && \is_int($cpu) && $time > 0
            ? [$time, (float) $cpu]
            : throw new Failed('the change failed: ' . @file_get_contents(\dirname($extra['php'] ?? '') . '/php.log'));
    }

    public function classes(Job $job): ?int
    {
        return null;
    }

    public function close(): void
    {
        $this->site = null;
    }
}
