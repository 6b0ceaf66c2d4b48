<?php

declare(strict_types=1);

namespace Larder\Proof\Rows;

use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\Program;
use PDO;
use RuntimeException;
use Symfony\Component\Process\Process;

/**
 * A synchronous copy of PostgreSQL's log, which says what it has on disk and never that it was applied.
 *
 * So a COMMIT with synchronous_commit = on, as the ledger's are, comes to its end, and one with remote_apply is in the
 * log, and nobody sees it, until letGo() ends its wait.
 *
 * @see https://www.postgresql.org/docs/15/app-pgreceivewal.html at --synchronous
 */
final readonly class LogCopy
{
    private const NAME = 'larder_copy';

    /** Times that the server is asked whether the copy has come, and microseconds between two of them. */
    private const TRIES = 3_000;
    private const PAUSE = 10_000;

    /** Milliseconds that a COMMIT waits at most; statement_timeout has no word in its wait. */
    private const LONGEST = 60;

    private Process $process;

    /** @param string $directory of the copy; made here */
    public function __construct(Database $database, private PDO $connection, string $directory)
    {
        mkdir($directory);
        $connection->exec('ALTER ROLE CURRENT_USER SET synchronous_commit = local');
        $connection->exec('SET synchronous_commit = local');
        $this->process = new Process([
            \dirname(Program::postgreSql('postgres')) . '/pg_receivewal',
            '--synchronous',
            '--no-loop',
            '--directory=' . $directory,
            \sprintf(
                '--dbname=host=%s port=%s user=%s application_name=%s',
                $database->part('host'),
                $database->part('port'),
                $database->user,
                self::NAME,
            ),
        ], timeout: null);
        $this->process->start();
        $connection->exec(\sprintf("ALTER SYSTEM SET synchronous_standby_names = '%s'", self::NAME));
        $connection->query('SELECT pg_reload_conf()');
        for ($try = 0; $try < self::TRIES && $this->process->isRunning(); ++$try) {
            $states = $connection->query('SELECT sync_state FROM pg_stat_replication');
            if ($states !== false && $states->fetchAll(PDO::FETCH_COLUMN) === ['sync']) {
                return;
            }
            usleep(self::PAUSE);
        }

        throw new RuntimeException('No copy of the log is made: ' . $this->process->getErrorOutput());
    }

    /** To be called every few milliseconds. */
    public function letGo(): void
    {
        $this->connection->query(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                . ' AND clock_timestamp() - state_change > ' . mt_rand(5, self::LONGEST) . " * interval '1 ms'",
        );
    }

    public function end(): void
    {
        $this->process->stop(1, SIGTERM);
    }
}
