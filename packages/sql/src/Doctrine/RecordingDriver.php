<?php

declare(strict_types=1);

namespace Larder\Sql\Doctrine;

use Closure;
use Doctrine\DBAL\Driver;
use Doctrine\DBAL\Driver\Middleware\AbstractDriverMiddleware;
use Doctrine\DBAL\Driver\PDO\Connection;
use Doctrine\DBAL\Driver\PDO\Exception;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordingPdo;
use PDO;
use PDOException;
use Psr\Log\LoggerInterface;
use SensitiveParameter;

/**
 * @internal Connects with a RecordingPdo in place of a PDO. Platform and exceptions are those of the driver.
 *
 * @phpstan-import-type Params from \Doctrine\DBAL\DriverManager
 */
final class RecordingDriver extends AbstractDriverMiddleware
{
    /** What each driver's DSN has of the parameters, as DBAL's own drivers make it. */
    private const PARAMETERS = [
        'pdo_mysql' => ['host', 'port', 'dbname', 'unix_socket', 'charset'],
        'pdo_pgsql' => [
            'host', 'port', 'dbname', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslcrl', 'application_name',
            'gssencmode',
        ],
    ];

    /** @param Closure(RecordingPdo): mixed|null $opened */
    public function __construct(
        Driver $driver,
        private readonly Registry $registry,
        private readonly ?Closure $opened,
        private readonly ?LoggerInterface $logger,
    ) {
        parent::__construct($driver);
    }

    /**
     * @param array<string, mixed> $params
     *
     * @phpstan-param Params $params
     *
     * @throws InvalidConnection for another driver than PDO's three
     * @throws Exception
     */
    public function connect(
        #[SensitiveParameter]
        array $params,
    ): Connection {
        $driver = $params['driver'] ?? null;
        $dsn = $driver === 'pdo_sqlite' ? self::file($params) : self::dsn($driver ?? 'a class of its own', $params);
        /** @var array<int, mixed> $options */
        $options = $params['driverOptions'] ?? [];
        if (($params['persistent'] ?? false) === true) {
            $options[PDO::ATTR_PERSISTENT] = true;
        }
        try {
            $pdo = new RecordingPdo(
                $dsn,
                $this->registry,
                options: $options,
                logger: $this->logger,
                user: $params['user'] ?? null,
                password: $params['password'] ?? null,
            );
            if ($driver === 'pdo_pgsql') {
                $emulates = \defined('PDO::PGSQL_ATTR_DISABLE_PREPARES') ? PDO::PGSQL_ATTR_DISABLE_PREPARES : null;
                if ($emulates !== null && ($options[$emulates] ?? true) === true) {
                    $pdo->setAttribute($emulates, true);
                }
                if (isset($params['charset'])) {
                    $pdo->exec(\sprintf("SET NAMES '%s'", $params['charset']));
                }
            }
        } catch (PDOException $exception) {
            throw Exception::new($exception);
        }
        if ($this->opened !== null) {
            ($this->opened)($pdo);
        }

        return new Connection($pdo);
    }

    /** @param array<string, mixed> $params */
    private static function file(array $params): string
    {
        $path = $params['path'] ?? ':memory:';

        return 'sqlite:' . (\is_string($path) ? $path : '');
    }

    /** @param array<string, mixed> $params */
    private static function dsn(string $driver, array $params): string
    {
        $names = self::PARAMETERS[$driver] ?? throw InvalidConnection::driver(
            $driver,
            ['pdo_sqlite', ...array_keys(self::PARAMETERS)],
        );
        $dsn = substr($driver, \strlen('pdo_')) . ':';
        foreach ($names as $name) {
            $value = $params[$name] ?? '';
            if (\is_scalar($value) && (string) $value !== '') {
                $dsn .= $name . '=' . $value . ';';
            }
        }

        return $dsn;
    }
}
