<?php

declare(strict_types=1);

namespace Larder\Follow\MariaDb;

use Larder\Follow\Exception\LogUnreadable;
use Larder\Follow\Position;

/** @internal A running `mariadb-binlog`, whose output is read as it comes. */
final class BinlogProgram
{
    private const CHUNK = 262144;

    private const MOST_ERRORS = 8192;

    /** What the program says where the log does not have what comes behind a position. */
    private const LOST = '/Could not find first log file name|Could not find GTID state|not in the master\'s binlog'
        . '|requested .{0,80}impossible position|bogus data in log event|has been purged/i';

    /** @var resource|null */
    private $process;

    /** @var array<int, resource> */
    private array $pipes = [];

    private string $errors = '';

    private bool $hasMore = false;

    /**
     * @param string       $program  its path
     * @param list<string> $access   options by which it reaches the server: `--defaults-file=…` first, if any
     * @param bool         $waits    for what comes; else it ends at the end of the log
     *
     * @throws LogUnreadable
     */
    public function __construct(string $program, array $access, Position $from, bool $isByGtid, bool $waits = true)
    {
        $command = [
            $program,
            ...($access === [] || !str_starts_with($access[0], '--defaults') ? ['--no-defaults'] : []),
            ...$access,
            '--read-from-remote-server',
            ...($waits
                // Two with one number end each other.
                ? ['--stop-never', '--stop-never-slave-server-id=' . random_int(1 << 30, (1 << 31) - 1)]
                : ['--to-last-log']),
            '--base64-output=DECODE-ROWS',
            '--verbose',
            '--print-row-count',
            '--skip-annotate-row-events',
            '--verify-binlog-checksum',
            '--start-position=' . ($isByGtid ? $from->gtids : $from->offset),
            $from->file,
        ];
        $process = @proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
        if ($process === false) {
            throw LogUnreadable::because("$program does not start. It is of the package mariadb-client");
        }
        $this->process = $process;
        /** @var array<int, resource> $pipes */
        $this->pipes = $pipes;
        foreach ($this->pipes as $pipe) {
            stream_set_blocking($pipe, false);
        }
    }

    public function __destruct()
    {
        $this->stop();
    }

    /** @throws LogUnreadable once it has ended */
    public function read(float $seconds): string
    {
        $read = $this->pipes;
        $none = null;
        $microseconds = (int) max(0, $seconds * 1e6);
        if ($read === []) {
            throw LogUnreadable::because('it was stopped');
        }
        @stream_select($read, $none, $none, intdiv($microseconds, 1_000_000), $microseconds % 1_000_000);
        $this->errors = substr($this->errors . @fread($this->pipes[2], 4096), -self::MOST_ERRORS);
        $bytes = (string) @fread($this->pipes[1], self::CHUNK);
        $this->hasMore = $bytes !== '' && $this->isReady();
        if ($bytes === '' && feof($this->pipes[1])) {
            $this->errors = substr($this->errors . @stream_get_contents($this->pipes[2]), -self::MOST_ERRORS);
            throw $this->ended();
        }

        return $bytes;
    }

    public function hasMore(): bool
    {
        return $this->hasMore;
    }

    public function stop(): void
    {
        if ($this->process === null) {
            return;
        }
        @proc_terminate($this->process, 9);
        foreach ($this->pipes as $pipe) {
            @fclose($pipe);
        }
        @proc_close($this->process);
        $this->process = null;
        $this->pipes = [];
    }

    private function isReady(): bool
    {
        $read = [$this->pipes[1]];
        $none = null;

        return (int) @stream_select($read, $none, $none, 0, 0) > 0;
    }

    private function ended(): LogUnreadable
    {
        $said = trim((string) preg_replace('/[^\x20-\x7e]+/', ' ', $this->errors));
        $said = $said === '' ? 'mariadb-binlog ended without a word' : $said;

        return preg_match(self::LOST, $said) === 1
            ? LogUnreadable::positionLost($said)
            : LogUnreadable::because($said);
    }
}
