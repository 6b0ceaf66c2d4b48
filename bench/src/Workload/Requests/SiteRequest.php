<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\Endpoint;

/**
 * A request by FastCGI to the only worker of the site that the bench makes, with nothing in between.
 *
 * It is for a page of 2 KB and 2 queries. Every answer is compared with the page that the controller makes without
 * Larder. The time is until the answer was there. The CPU is that of the whole request, and what is stored after the
 * answer belongs to it: the worker then answers a script that does nothing, by which the end of the request is known.
 *
 * Or it is for a script that changes an item, looks whether the pages are gone, and says what that took. Its parameters
 * are the job's `pages` (0) and `beside` (false).
 */
final class SiteRequest implements Subject
{
    /** The items that are asked for. */
    private const ITEMS = 10;

    private ?Endpoint $site = null;
    private int $asked = 0;

    /** @var array<int, string> the plain page of an item, with PAGE for the page's name */
    private array $pages = [];

    /** The page that is asked for again; empty: each request is for another one. */
    private string $again = '';

    /**
     * @param array<string, string> $parameters of FastCGI; PAGE stands for the page's URI
     * @param string                $status     what Cache-Status says, but for a detail; empty: there is none
     * @param bool                  $isHit      the page is stored before it is measured
     * @param string                $php        of the site's php-fpm, in Endpoint::$extra: `preloaded-`
     * @param 0|1|null              $change     0: a change by plain SQL, 1: one that is told; null: it asks for a page
     */
    public function __construct(
        private readonly array $parameters = [],
        private readonly string $status = '',
        private readonly bool $isHit = false,
        private readonly string $php = '',
        public readonly ?int $change = null,
    ) {}

    public function connect(Context $context): void
    {
        $this->site = $context->serverOfWorker();
        for ($item = 1; $item <= self::ITEMS; ++$item) {
            $this->pages[$item] = $this->ask('public/index.php', "/item/$item-PAGE", ['PLAIN' => '1'])[1];
        }
        if ($this->isHit) {
            $this->again = $this->name();
            $this->page($this->again);
        }
    }

    /** @return array{int, float} nanoseconds, and microseconds of the worker's CPU */
    public function once(Job $job): array
    {
        if ($this->change !== null) {
            return $this->changed($job, $this->change);
        }
        $name = $this->again === '' ? $this->name() : $this->again;
        $before = Cpu::of([$this->worker()]);
        [$head, $body, $took] = $this->page($name);
        $cpu = Cpu::of([$this->worker()]) - $before;
        $found = [];
        preg_match('/^Cache-Status: *(.*?)(?:; detail=.*)?\r?$/im', $head, $found);
        if (($found[1] ?? '') !== $this->status) {
            throw new WrongReply(\sprintf('"%s" instead of "%s" at %s', $found[1] ?? '', $this->status, $name));
        }
        if ($body !== str_replace((int) $name . '-PAGE', $name, $this->pages[(int) $name] ?? '')) {
            throw new WrongReply("$name is not the page without Larder: " . Target::excerpt($body));
        }

        return [$took, $cpu];
    }

    /** How many classes of Larder's the worker has loaded at the end of a request for a page. */
    public function classes(): int
    {
        // The worker may have another account.
        $file = \dirname($this->extra($this->php . 'php')) . '/tmp/classes';
        $this->page($this->again === '' ? $this->name() : $this->again, ['CLASSES' => $file]);

        return (int) file_get_contents($file);
    }

    public function worker(): int
    {
        return (int) $this->extra($this->php . 'worker');
    }

    public function close(): void
    {
        $this->site = null;
    }

    /** Of a page that was never asked for. */
    private function name(): string
    {
        return 1 + $this->asked++ % self::ITEMS . '-' . bin2hex(random_bytes(6));
    }

    /**
     * @param array<string, string> $more
     *
     * @return array{string, string, int} head, body and nanoseconds
     */
    private function page(string $name, array $more = []): array
    {
        $parameters = str_replace('PAGE', "/item/$name", $this->parameters);
        $begin = hrtime(true);
        [$head, $body] = $this->ask('public/index.php', "/item/$name", $parameters + $more);
        $took = hrtime(true) - $begin;
        $this->ask('idle.php', '/');

        return [$head, $body, $took];
    }

    /**
     * @param 0|1 $which
     *
     * @return array{int, float}
     */
    private function changed(Job $job, int $which): array
    {
        $isBeside = ($job->parameters['beside'] ?? false) === true;
        $query = http_build_query(['pages' => $job->int('pages', 0), 'beside' => $isBeside ? '1' : '0']);
        $client = new FastCgi($this->extra('php'), $this->extra('scripts') . '/change.php', 100);
        $all = json_decode((string) $client->get($query, '/change'), true);
        $took = \is_array($all) ? $all[$which] ?? null : null;
        [$time, $cpu] = (\is_array($took) ? array_values($took) : []) + [null, null];

        return \is_int($time) && \is_int($cpu)
            ? [$time, (float) $cpu]
            : throw new Failed('the change failed: ' . @file_get_contents(\dirname($this->extra('php')) . '/php.log'));
    }

    /**
     * @param array<string, string> $parameters
     *
     * @return array{string, string} head and body
     */
    private function ask(string $script, string $uri, array $parameters = []): array
    {
        $client = new FastCgi($this->extra($this->php . 'php'), $this->extra('scripts') . '/' . $script);

        return $client->parts('', $uri, ['SERVER_NAME' => '127.0.0.1', ...$parameters])
            ?? throw new Failed("PHP did not answer $uri");
    }

    private function extra(string $name): string
    {
        return $this->site->extra[$name] ?? throw Failed::connecting('php-fpm', "the site has no $name");
    }
}
