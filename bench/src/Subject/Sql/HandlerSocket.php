<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Sql;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;

/**
 * Rows of the same table through MariaDB's HandlerSocket plugin, past its SQL: one port to read, one to write.
 *
 * It knows no "insert or update": a set is an update, and an insert where there was nothing to update.
 */
final class HandlerSocket implements CountingMany, ManyKeys
{
    /** Columns k and v. */
    private const PAIR = '0';

    /** Column v alone. */
    private const VALUE = '1';

    private const DUPLICATE = '121';

    private HandlerSocketConnection $reader;

    private HandlerSocketConnection $writer;

    public function connect(Context $context): void
    {
        $server = MariaDb::server($context);
        $pdo = MariaDb::pdo($context, true);
        MariaDb::createTable($pdo);
        $secret = $server->extra['handlersocket-secret'] ?? null;
        if ($secret === null) {
            // Without one in its configuration the server makes one up at each start.
            $variable = $pdo->prepare("SHOW VARIABLES LIKE 'handlersocket_plain_secret'");
            $variable->execute();
            $secret = $variable->fetchColumn(1);
            $secret = \is_string($secret) ? $secret : '';
        }
        $open = static function (string $port) use ($server, $context, $secret): HandlerSocketConnection {
            $connection = new HandlerSocketConnection(
                $server->host,
                (int) ($server->extra[$port] ?? 0),
                $context->timeout,
            );
            if ($secret !== '') {
                $connection->ask('auth', "A\t1\t" . $connection->encode($secret));
            }
            $table = "\t" . ($server->extra['database'] ?? '') . "\tpairs\tPRIMARY\t";
            $connection->ask('open', "P\t" . self::PAIR . $table . 'k,v');
            $connection->ask('open', "P\t" . self::VALUE . $table . 'v');

            return $connection;
        };
        $this->reader = $open('handlersocket');
        $this->writer = $open('handlersocket-write');
    }

    public function close(): void
    {
        $this->reader->close();
        $this->writer->close();
    }

    public function get(string $key): ?string
    {
        $fields = $this->reader->ask($key, self::VALUE . "\t=\t1\t" . $key);

        return match (\count($fields)) {
            0 => null,
            1 => $this->reader->decode($fields[0]),
            default => throw Failed::during('get', $key, 'more than one row'),
        };
    }

    public function set(string $key, string $value): void
    {
        $value = $this->writer->encode($value);
        if ($this->changed($key, $this->update($key, $value)) === 1) {
            return;
        }
        $this->writer->send(self::insert($key, $value));
        // Another process may have inserted it since.
        if (!$this->inserted($key) && $this->changed($key, $this->update($key, $value)) !== 1) {
            throw Failed::during('set', $key, 'the row comes and goes');
        }
    }

    public function delete(string $key): void
    {
        $this->changed($key, $this->writer->ask($key, self::VALUE . "\t=\t1\t" . $key . "\t1\t0\tD"));
    }

    public function getMany(array $keys): array
    {
        $fields = $this->reader->ask($keys[0], self::PAIR . self::in($keys));
        if (\count($fields) % 2 !== 0) {
            throw Failed::during('getMany', $keys[0], 'half a row');
        }
        $values = [];
        for ($index = 0, $count = \count($fields); $index < $count; $index += 2) {
            $values[$this->reader->decode($fields[$index])] = $this->reader->decode($fields[$index + 1]);
        }

        return $values;
    }

    public function setMany(array $values): void
    {
        $values = array_map($this->writer->encode(...), $values);
        $updates = '';
        foreach ($values as $key => $value) {
            $updates .= self::VALUE . "\t=\t1\t" . $key . "\t1\t0\tU\t" . $value . "\n";
        }
        $this->writer->send($updates);
        $new = array_filter(
            $values,
            fn(int|string $key): bool => $this->changed((string) $key, $this->writer->reply((string) $key)) === 0,
            ARRAY_FILTER_USE_KEY,
        );
        foreach ($new as $key => $value) {
            $this->writer->send(self::insert((string) $key, $value));
        }
        $late = array_filter($new, fn(int|string $key): bool => !$this->inserted((string) $key), ARRAY_FILTER_USE_KEY);
        foreach ($late as $key => $value) {
            if ($this->changed((string) $key, $this->update((string) $key, $value)) !== 1) {
                throw Failed::during('setMany', (string) $key, 'the row comes and goes');
            }
        }
    }

    public function deleteMany(array $keys): void
    {
        $this->changed($keys[0], $this->writer->ask($keys[0], self::VALUE . self::in($keys) . "\tD"));
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        return $this->incrementMany([$key], $by)[$key];
    }

    /** The reply is what was there before. */
    public function decrement(string $key, int $by = 1): int
    {
        $before = $this->writer->ask($key, self::VALUE . "\t=\t1\t" . $key . "\t1\t0\t-?\t" . $by);

        return $this->number($key, $before[0] ?? '') - $by;
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        $before = $this->writer->ask($keys[0], self::VALUE . self::in($keys) . "\t+?\t" . $by);
        if (\count($before) !== \count($keys)) {
            throw Failed::during('increment', $keys[0], \sprintf('%d rows of %d', \count($before), \count($keys)));
        }
        $after = [];
        foreach ($keys as $index => $key) {
            $after[$key] = $this->number($key, $before[$index]) + $by;
        }

        return $after;
    }

    /**
     * @phpstan-impure
     *
     * @return list<string>
     */
    private function update(string $key, string $encoded): array
    {
        return $this->writer->ask($key, self::VALUE . "\t=\t1\t" . $key . "\t1\t0\tU\t" . $encoded);
    }

    private static function insert(string $key, string $encoded): string
    {
        return self::PAIR . "\t+\t2\t" . $key . "\t" . $encoded . "\n";
    }

    /** @param non-empty-list<string> $keys */
    private static function in(array $keys): string
    {
        $count = \count($keys);

        return "\t=\t1\t\t" . $count . "\t0\t@\t0\t" . $count . "\t" . implode("\t", $keys);
    }

    private function inserted(string $key): bool
    {
        [$status, $fields] = $this->writer->anyReply();
        if ($status === 0) {
            return true;
        }

        return $status === 1 && $fields === [self::DUPLICATE]
            ? false
            : throw Failed::during('insert', $key, \sprintf('error %d: %s', $status, implode(' ', $fields)));
    }

    /** @param list<string> $fields */
    private function changed(string $key, array $fields): int
    {
        return \count($fields) === 1
            ? $this->number($key, $fields[0])
            : throw Failed::during('modify', $key, \sprintf('%d fields in place of a count', \count($fields)));
    }

    private function number(string $key, string $field): int
    {
        return ctype_digit($field) && \strlen($field) < 19
            ? (int) $field
            : throw Failed::during('HandlerSocket', $key, 'no number, or no such row');
    }
}
