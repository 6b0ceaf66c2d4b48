<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Sql\Schema\Registry;
use Larder\Testbed\Server\PostgreSql;
use PDO;
use PDOException;

/** Databases of one PostgreSQL. */
final readonly class PostgreSqlHost implements Host
{
    private PostgreSql $server;

    private PDO $connection;

    public function __construct(string $directory)
    {
        $this->server = new PostgreSql("$directory/postgresql", [
            'fsync' => 'off',
            'full_page_writes' => 'off',
            'shared_buffers' => '64MB',
            'autovacuum' => 'off',
            'log_min_messages' => 'log',
            'log_min_error_statement' => 'panic',
            'jit' => 'off',
        ]);
        $this->connection = new PDO($this->server->endpoint()->extra['dsn'], $this->user());
    }

    public function create(string $name, array $statements): void
    {
        $this->connection->exec("CREATE DATABASE $name");
        $connection = $this->connect($name);
        foreach ($statements as $statement) {
            Trial::try($connection, $statement);
        }
    }

    public function remove(string $name): void
    {
        Trial::try($this->connection, "DROP DATABASE IF EXISTS $name WITH (FORCE)");
    }

    public function connect(string $name, array $attributes = []): PDO
    {
        return new PDO($this->dsn($name), $this->user(), null, $attributes);
    }

    public function recording(string $name, Registry $registry, Causes $causes, array $attributes = []): SteppedPdo
    {
        return new SteppedPdo($this->dsn($name), $registry, $causes, $attributes, $this->user());
    }

    public function watch(string $name, array $attributes = []): Watch
    {
        $watch = $this->connect($name);
        $watch->exec('CREATE TABLE larder_touched (name text, was text)');
        $watch->exec(<<<SQL
            CREATE FUNCTION larder_touch() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN
            IF TG_OP <> 'INSERT' THEN
            INSERT INTO larder_touched SELECT TG_TABLE_NAME, json_agg(value)::text FROM json_each(row_to_json(OLD));
            END IF;
            IF TG_OP <> 'DELETE' THEN
            INSERT INTO larder_touched SELECT TG_TABLE_NAME, json_agg(value)::text FROM json_each(row_to_json(NEW));
            END IF;
            RETURN NULL; END\$\$
            SQL);
        foreach ($this->tables($watch) as $table) {
            Trial::try($watch, "CREATE TRIGGER zz_touched AFTER INSERT OR UPDATE OR DELETE ON \"$table\" FOR EACH ROW "
                . "EXECUTE FUNCTION larder_touch()");
        }

        $drops = static fn(PDO $watch): array => array_map(
            static fn(string $table): string => "DROP TRIGGER zz_touched ON \"$table\"",
            WatchedCopy::names($watch, 'SELECT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE '
                . "t.tgname = 'zz_touched'"),
        );

        return new LoggedCopy($this, $this->connect($name, $attributes), $watch, $drops);
    }

    public function tables(PDO $connection): array
    {
        return WatchedCopy::names($connection, "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND"
            . " relnamespace = current_schema::regnamespace AND relname NOT LIKE 'larder!_%' ESCAPE '!'"
            . ' ORDER BY relname');
    }

    public function overlaps(): bool
    {
        return true;
    }

    public function impatience(): array
    {
        return ["SET lock_timeout = '20ms'"];
    }

    public function code(PDOException $exception): string
    {
        return \is_scalar($code = $exception->errorInfo[0] ?? '') ? (string) $code : '';
    }

    public function knowsLastId(): bool
    {
        return false;
    }

    public function stop(): void
    {
        $this->server->stop();
    }

    private function dsn(string $name): string
    {
        return (string) preg_replace('/dbname=\w+/', "dbname=$name", $this->server->endpoint()->extra['dsn']);
    }

    private function user(): string
    {
        return $this->server->endpoint()->extra['user'];
    }
}
