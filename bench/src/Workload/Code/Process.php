<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\UsageError;
use Larder\Bench\Server\SharedLibrary;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\PhpFpm;

/** In which process files are loaded: `fresh` and `slow` start PHP for each load, without OPcache. */
final class Process
{
    /** Microseconds that opening a file takes longer in a slow directory. */
    public const OPENING = 1_000;

    private const SCRIPT = __DIR__ . '/../../../libexec/load-code.php';

    private ?PhpFpm $fpm = null;

    /** @param 'fresh'|'opcache'|'slow' $kind */
    private function __construct(
        private readonly string $kind,
        private readonly string $files,
        private readonly string $directory,
    ) {}

    /**
     * @param string $files     directory that is slow
     * @param string $directory of the run
     *
     * @throws UsageError
     */
    public static function of(string $kind, string $files, string $directory): self
    {
        return match ($kind) {
            'fresh', 'opcache', 'slow' => new self($kind, $files, $directory),
            default => throw new UsageError("There is no process \"$kind\". There are: fresh, opcache, slow."),
        };
    }

    public function __destruct()
    {
        $this->end();
    }

    /**
     * Starts php-fpm, where the process is one of it, and lets OPcache compile what it can.
     *
     * @param array<string, string> $ask what libexec/load-code.php takes
     */
    public function begin(Form $form, array $ask): void
    {
        if ($this->kind !== 'opcache') {
            if ($form->way === Way::Preloaded) {
                throw new NotApplicable('needs OPcache');
            }

            return;
        }
        $startup = [
            'opcache.enable' => '1',
            'opcache.validate_timestamps' => '0',
            'opcache.memory_consumption' => '256',
            'opcache.max_accelerated_files' => '20000',
        ];
        $account = Account::ableToReach((string) realpath(self::SCRIPT));
        if ($form->way === Way::Preloaded) {
            $startup['opcache.preload'] = $this->files . '/preload.php';
            $startup['opcache.preload_user'] = $account->user ?? '';
        }
        $own = $this->directory . '/code' . getmypid();
        $account->own($own . '/tmp');
        $account->own($own);
        $this->fpm = new PhpFpm($own, $account, 1, ini: ['memory_limit' => '1G'], startup: $startup);
        $this->load($ask);
    }

    /**
     * @param array<string, string> $ask
     *
     * @throws Failed
     */
    public function load(array $ask): Load
    {
        $query = http_build_query($ask);
        $said = $this->fpm === null
            ? $this->command($query)
            : (new FastCgi($this->fpm->socket, (string) realpath(self::SCRIPT), 60))->get($query)
                ?? (string) @file_get_contents($this->fpm->log());

        return Load::read($said);
    }

    public function end(): void
    {
        $this->fpm?->stop();
        $this->fpm = null;
    }

    private function command(string $query): string
    {
        $environment = getenv();
        if ($this->kind === 'slow') {
            $environment['LD_PRELOAD'] = SharedLibrary::of('slow-open.c', $this->directory);
            $environment['SLOW_DIRECTORY'] = $this->files;
            $environment['SLOW_MICROSECONDS'] = (string) self::OPENING;
        }
        $command = [PHP_BINARY];
        foreach (['opcache.enable_cli=0', 'memory_limit=1G', 'display_errors=1', 'log_errors=0'] as $value) {
            $command = [...$command, '-d', $value];
        }
        $command = [...$command, self::SCRIPT, $query];
        $process = proc_open($command, [1 => ['pipe', 'w']], $pipes, null, $environment);
        if ($process === false) {
            throw new Failed('cannot start ' . PHP_BINARY);
        }
        $said = (string) stream_get_contents($pipes[1]);
        proc_close($process);

        return $said;
    }
}
