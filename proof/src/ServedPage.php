<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\IniFiles;
use Larder\Testbed\Server\PhpFpm;
use RuntimeException;

/** A php-fpm whose only page is a class of this room. Its workers may be watched for what they grow by. */
final readonly class ServedPage
{
    /** The part of the time after which the workers have all the memory that they need. */
    private const WARM = 0.2;

    /** Seconds after the end in which the clients have to be done. */
    public const PATIENCE = 240.0;

    private function __construct(
        private Run $run,
        public PhpFpm $php,
        private string $directory,
        private int $workers,
    ) {}

    /**
     * @param string                      $directory   to be made
     * @param class-string                $page        its static answer() prints the answer
     * @param list<array{string, string}> $settings    lines of an .ini file: extensions and their values
     * @param array<string, string>       $environment of the page
     * @param list<string>                $without     modules of this PHP that are left out
     * @param array<string, string>       $ini         php.ini values that scripts cannot change
     */
    public static function start(
        Run $run,
        string $directory,
        string $page,
        int $workers,
        array $settings,
        array $environment = [],
        array $without = [],
        array $ini = [],
        ?Account $account = null,
    ): self {
        mkdir($directory . '/tmp', recursive: true);
        $autoload = var_export(\dirname(__DIR__, 2) . '/vendor/autoload.php', true);
        file_put_contents($directory . '/page.php', "<?php\nrequire $autoload;\n$page::answer();\n");
        $environment += IniFiles::copied($directory . '/ini', $without, $settings);
        $account ??= Account::ableToReach(__FILE__);
        $account->own($directory);
        $php = new PhpFpm($directory, $account, $workers, $environment, $ini);
        $run->atEnd($php->stop(...));

        return new self($run, $php, $directory, $workers);
    }

    /** @param int $seconds that an answer may take */
    public function client(int $seconds = 10): FastCgi
    {
        return new FastCgi($this->php->socket, $this->directory . '/page.php', $seconds);
    }

    /**
     * Keeps all workers busy for as long as the run takes, by a client for each.
     *
     * @param Closure(int): void $ask  one request of a client
     * @param Closure(): string  $line how far the run is
     *
     * @return array{array<int, int>, array<int, int>} kilobytes of each worker, when it is warm and at the end
     */
    public function beBusy(Closure $ask, Closure $line): array
    {
        $workers = $this->processes();
        $findings = $this->run->findings();
        $end = $this->run->begin();
        $clients = $this->run->pool(static function (int $number) use ($ask, $end, $findings): void {
            $parent = posix_getppid();
            while (hrtime(true) < $end && posix_getppid() === $parent && $findings->count() < Run::ENOUGH) {
                $ask($number);
            }
        }, mt_rand());
        $clients->fill($this->workers);
        $this->run->watch((int) ($end - (1 - self::WARM) * $this->run->seconds() * 1e9), $line);
        $early = self::memory($workers);
        $this->run->watch($end, $line);
        $this->run->finish($clients, self::PATIENCE, 'a client');
        $late = self::memory($workers);
        $said = fn(string $log): string => trim((string) @file_get_contents($log));
        if ($this->php->workers() !== $workers) {
            $findings->add('not all workers lived to the end: ' . $said($this->php->log()));
        }
        $errors = $this->directory . '/php.log';
        $this->run->check(!is_file($errors), 'php.log: ' . $said($errors));

        return [$early, $late];
    }

    /**
     * @param array<int, int> $early kilobytes of each worker
     * @param array<int, int> $late
     *
     * @return array{growth_kb: int, largest_worker_kb: int}
     */
    public static function growth(array $early, array $late): array
    {
        $grown = array_map(static fn(int $pid): int => ($late[$pid] ?? 0) - $early[$pid], array_keys($early));

        return [
            'growth_kb' => $grown === [] ? 0 : max($grown),
            'largest_worker_kb' => max([0, ...array_values($late)]),
        ];
    }

    /**
     * A worker that was forked just now does not have its name yet.
     *
     * @return list<int>
     */
    private function processes(): array
    {
        $this->run->await(fn(): bool => \count($this->php->workers()) >= $this->workers, 5.0, 'a worker is missing');

        return $this->php->workers();
    }

    /**
     * @param list<int> $workers
     *
     * @return array<int, int> kilobytes by process
     */
    private static function memory(array $workers): array
    {
        return array_combine($workers, array_map(static fn(int $worker): int => OwnMemory::of($worker)
            ?? throw new RuntimeException("Cannot read the memory of process $worker."), $workers));
    }
}
