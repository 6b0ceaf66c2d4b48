<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Requests;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Context;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\Endpoint;

/**
 * A request for a page of 2 KB and 2 queries, of the site that the bench makes. Every answer is compared with the page
 * that the controller makes without Larder.
 *
 * Its time is until the answer was there. Its CPU is that of the whole request, and what may be stored after the answer
 * belongs to it; the worker then answers a script that does nothing, by which the end of the request is known.
 */
final class SiteRequest implements Timed
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
     */
    public function __construct(
        private readonly array $parameters,
        private readonly string $status,
        private readonly bool $isHit = false,
        private readonly string $php = '',
    ) {}

    public function connect(Context $context): void
    {
        $this->site = $context->serverOfWorker();
        for ($item = 1; $item <= self::ITEMS; ++$item) {
            $plain = $this->ask('public/index.php', "/item/$item-PAGE", ['PLAIN' => '1'])[1];
            $this->pages[$item] = $plain;
        }
        if ($this->isHit) {
            $this->again = $this->name();
            $this->ask('public/index.php', "/item/$this->again", $this->parameters("/item/$this->again"));
            $this->ask('idle.php', '/');
        }
    }

    public function once(Job $job): array
    {
        $name = $this->again === '' ? $this->name() : $this->again;
        $uri = "/item/$name";
        $worker = [$this->worker()];
        $before = Cpu::of($worker);
        $begin = hrtime(true);
        [$head, $body] = $this->ask('public/index.php', $uri, $this->parameters($uri));
        $took = hrtime(true) - $begin;
        $this->ask('idle.php', '/');
        $cpu = Cpu::of($worker) - $before;
        $status = preg_match('/^Cache-Status: *(.*?)(?:; detail=.*)?\r?$/im', $head, $found) === 1 ? $found[1] : '';
        if ($status !== $this->status) {
            throw new WrongReply("$uri: Cache-Status is \"$status\" instead of \"$this->status\"");
        }
        if ($body !== str_replace((int) $name . '-PAGE', $name, $this->pages[(int) $name] ?? '')) {
            throw new WrongReply("$uri is not the page without Larder: " . Target::excerpt($body));
        }

        return [$took, $cpu];
    }

    public function classes(Job $job): int
    {
        $uri = '/item/' . ($this->again === '' ? $this->name() : $this->again);
        // The worker may have another account.
        $file = \dirname($this->site()->extra[$this->php . 'php'] ?? '') . '/tmp/classes';
        $this->ask('public/index.php', $uri, ['CLASSES' => $file, ...$this->parameters($uri)]);
        $this->ask('idle.php', '/');

        return (int) file_get_contents($file);
    }

    public function worker(): int
    {
        return (int) ($this->site()->extra[$this->php . 'worker'] ?? 0);
    }

    public function close(): void
    {
        $this->site = null;
    }

    private function site(): Endpoint
    {
        return $this->site ?? throw Failed::connecting('php-fpm', 'no site was started');
    }

    /** Of a page that was never asked for. */
    private function name(): string
    {
        return 1 + $this->asked++ % self::ITEMS . '-' . bin2hex(random_bytes(6));
    }

    /** @return array<string, string> */
    private function parameters(string $uri): array
    {
        return str_replace('PAGE', $uri, $this->parameters);
    }

    /**
     * @param array<string, string> $parameters
     *
     * @return array{string, string} head and body
     */
    private function ask(string $script, string $uri, array $parameters = []): array
    {
        $extra = $this->site()->extra;
        $client = new FastCgi($extra[$this->php . 'php'] ?? '', ($extra['scripts'] ?? '') . '/' . $script);

        return $client->parts('', $uri, ['SERVER_NAME' => '127.0.0.1', ...$parameters])
            ?? throw new Failed("PHP did not answer $uri");
    }
}
