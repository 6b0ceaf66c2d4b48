<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use Exception;
use Larder\Exception\InvalidServer;
use Predis\ClientInterface;
use Predis\Command\RawCommand;
use Predis\Connection\NodeConnectionInterface;
use Predis\Connection\Parameters;
use Predis\Connection\StreamConnection;
use Predis\Protocol\ProtocolException;
use Predis\Response\ErrorInterface;
use Predis\Response\Status;
use Predis\TimeoutException;

/**
 * By Predis. Requests go to its connection directly, so the client's prefix, retries and exceptions do not matter.
 *
 * @internal
 */
final class RedisByPredis implements RedisConnection
{
    private ?NodeConnectionInterface $connection = null;
    private readonly PredisStreams $streams;

    /**
     * @param Closure(float, PredisStreams): NodeConnectionInterface $make is given the seconds that connecting may take
     */
    private function __construct(private readonly Closure $make)
    {
        $this->streams = new PredisStreams();
    }

    public static function to(RedisAddress $address): self
    {
        $parameters = $address->port === 0
            ? ['scheme' => 'unix', 'path' => $address->host]
            : [
                'scheme' => $address->isTls ? 'tls' : 'tcp',
                'host' => $address->host,
                'port' => $address->port,
                'tcp_nodelay' => true,
            ];

        return new self(static fn(float $seconds, PredisStreams $streams): NodeConnectionInterface
            => new StreamConnection(
                new Parameters([...$parameters, 'timeout' => $seconds, 'read_write_timeout' => ceil($seconds)]),
                $streams,
            ));
    }

    /** A client of the application, with its own timeouts. */
    public static function with(object $client): self
    {
        if (!$client instanceof ClientInterface) {
            throw InvalidServer::because(
                \sprintf(
                    'A client is a Redis or a Predis client, and %s is neither: name several servers to the store, '
                        . 'which has a ring of its own; there is none for Redis Cluster.',
                    get_debug_type($client),
                ),
            );
        }
        $connection = $client->getConnection();
        if (!$connection instanceof NodeConnectionInterface) {
            throw InvalidServer::because(
                'A Predis client for a store must be of one server: name several servers to the store, which has a '
                    . 'ring of its own.',
            );
        }

        return new self(static fn(): NodeConnectionInterface => $connection);
    }

    public function open(int $until): void
    {
        try {
            $connection = ($this->make)(max(0.001, ($until - hrtime(true)) / 1e9), $this->streams);
            // A handshake that fails is also a PHP warning, which an application may turn into an exception.
            @$connection->connect();
        } catch (Exception $exception) {
            throw RedisFailure::unreachable($exception);
        }
        $this->connection = $connection;
    }

    public function isOpen(): bool
    {
        return $this->connection !== null;
    }

    public function mark(): ?object
    {
        // Predis makes another stream for each connection. Relay, which is no stream, keeps its object.
        return $this->connection instanceof StreamConnection && $this->connection->isConnected()
            ? $this->connection->getResource()
            : null;
    }

    public function ask(array $command, int $until): mixed
    {
        $connection = $this->connection ?? throw RedisFailure::down();
        $this->streams->endAt($until);
        try {
            $reply = $connection->executeCommand(new RawCommand($command[0], \array_slice($command, 1)));
        } catch (TimeoutException $exception) {
            throw RedisFailure::timedOut($exception);
        } catch (ProtocolException $exception) {
            throw RedisFailure::outOfStep($exception);
        } catch (Exception $exception) {
            throw RedisFailure::closed($exception);
        }
        if (!$reply instanceof ErrorInterface) {
            return $reply instanceof Status ? true : $reply;
        }
        $error = $reply->getMessage();

        return str_starts_with($error, 'NOSCRIPT') ? 'NOSCRIPT' : throw RedisFailure::reply($error);
    }

    public function close(): void
    {
        try {
            $this->connection?->disconnect();
        } catch (Exception) {
            // It is closed already.
        }
        $this->connection = null;
    }
}
