<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Floor;

use Closure;
use FFI;
use FFI\CData;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Server\SharedLibrary;
use Larder\Bench\Subject\Calls;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Subject;
use Larder\Testbed\Server\Endpoint;
use LogicException;

/**
 * memcached's protocol spoken by a loop in C that does nothing but send and receive: what no client can beat. Of
 * several servers each has its share of a batch, by turns.
 */
final class RawMemcached implements Subject
{
    private const DECLARED = <<<'C'
        int floor_tcp(const char *host, int port, int seconds);
        int floor_unix(const char *path, int seconds);
        void floor_close(int fd);
        int floor_run(const int *fds, const char **requests, const size_t *sizes, char **rooms, const size_t *replies,
            int count, int together, long times);
        C;

    private ?FFI $floor = null;

    /** @var list<int> */
    private array $sockets = [];

    /** @param bool $meta the meta commands for gets too; else the classic one, which takes many keys */
    public function __construct(private readonly bool $meta) {}

    public function connect(Context $context): void
    {
        $this->floor = FFI::cdef(self::DECLARED, SharedLibrary::of('floor.c', $context->directory));
        foreach ($context->endpoints as $endpoint) {
            $this->sockets[] = $this->opened($endpoint, (int) ceil($context->timeout));
        }
    }

    public function close(): void
    {
        foreach ($this->sockets as $socket) {
            $this->called('floor_close', $socket);
        }
        $this->sockets = [];
        $this->floor = null;
    }

    /**
     * @param array<string, string> $values by key; those that the servers hold, or that are set
     *
     * @return Closure(int $times): void does the whole batch that often, and throws when the last reply is not the
     *     expected one
     */
    public function loop(Calls $calls, array $values): Closure
    {
        $requests = $replies = $fds = [];
        foreach ($calls->isForMany() ? $this->shares($values) : array_chunk($values, 1, true) as $number => $share) {
            $fds[] = $this->sockets[$number % \count($this->sockets)];
            [$requests[], $replies[]] = $this->wire($calls, $share);
        }

        if ($fds === []) {
            throw new LogicException('a batch of no keys');
        }

        return $this->prepared($fds, $requests, $replies, $calls->isForMany());
    }

    /**
     * @param array<string, string> $values
     *
     * @return list<array<string, string>>
     */
    private function shares(array $values): array
    {
        $shares = [];
        $number = 0;
        foreach ($values as $key => $value) {
            $shares[$number++ % \count($this->sockets)][$key] = $value;
        }

        return array_values($shares);
    }

    /**
     * @param array<string, string> $values
     *
     * @return array{string, string} request, and its reply
     */
    private function wire(Calls $calls, array $values): array
    {
        $request = $reply = '';
        foreach ($values as $key => $value) {
            $size = \strlen($value);
            [$ask, $answer] = match ($calls) {
                Calls::Get, Calls::GetMany => $this->meta
                    ? ["mg $key v f\r\n", "VA $size f0\r\n$value\r\n"]
                    : [' ' . $key, "VALUE $key 0 $size\r\n$value\r\n"],
                Calls::Set, Calls::SetMany => ["ms $key $size\r\n$value\r\n", "HD\r\n"],
                Calls::DeleteMany => ["md $key\r\n", "NF\r\n"],
                Calls::IncrementMany => ["ma $key\r\n", "HD\r\n"],
            };
            $request .= $ask;
            $reply .= $answer;
        }
        $classic = !$this->meta && ($calls === Calls::Get || $calls === Calls::GetMany);

        return $classic ? ["get$request\r\n", "{$reply}END\r\n"] : [$request, $reply];
    }

    /**
     * @param non-empty-list<int> $fds
     * @param list<string>        $requests
     * @param list<string>        $replies
     *
     * @return Closure(int): void
     */
    private function prepared(array $fds, array $requests, array $replies, bool $together): Closure
    {
        $count = \count($fds);
        $rooms = array_map(fn(string $reply): CData => $this->bytes(str_repeat("\0", \strlen($reply))), $replies);
        $sent = array_map($this->bytes(...), $requests);
        $arguments = [
            $this->row("int[$count]", $fds),
            $this->row("const char *[$count]", array_map($this->address(...), $sent)),
            $this->row("size_t[$count]", array_map(strlen(...), $requests)),
            $this->row("char *[$count]", array_map($this->address(...), $rooms)),
            $this->row("size_t[$count]", array_map(strlen(...), $replies)),
            $count,
            (int) $together,
        ];

        return function (int $times) use ($arguments, $rooms, $replies, $sent): void {
            // The addresses in the arguments hold as long as what they are of.
            \assert(\count($sent) === \count($replies));
            if ($this->called('floor_run', ...[...$arguments, $times]) !== 1) {
                throw Failed::during('floor_run', 'a batch', 'a server closed its connection or took too long');
            }
            foreach ($replies as $number => $reply) {
                if (FFI::string($rooms[$number], \strlen($reply)) !== $reply) {
                    throw Failed::during(
                        'floor_run',
                        'a batch',
                        'the reply is not the one that it had to be: '
                            . substr(FFI::string($rooms[$number], \strlen($reply)), 0, 60),
                    );
                }
            }
        };
    }

    private function bytes(string $text): CData
    {
        $made = $this->made('char[' . max(1, \strlen($text)) . ']');
        FFI::memcpy($made, $text, \strlen($text));

        return $made;
    }

    private function address(CData $bytes): CData
    {
        return self::got($this->floor()->cast('char *', FFI::addr($bytes)));
    }

    /** @param list<int|CData> $elements */
    private function row(string $type, array $elements): CData
    {
        $made = $this->made($type);
        $slots = $made;
        foreach ($elements as $number => $element) {
            $slots[$number] = $element; // @phpstan-ignore offsetAccess.nonOffsetAccessible
        }

        return $made;
    }

    private function made(string $type): CData
    {
        return self::got($this->floor()->new($type));
    }

    /** Before PHP 8.4, FFI's methods are declared to return null too. */
    private static function got(?CData $data): CData
    {
        return $data ?? throw new LogicException('FFI gave nothing');
    }

    private function opened(Endpoint $endpoint, int $seconds): int
    {
        $socket = $endpoint->socket !== null
            ? $this->called('floor_unix', $endpoint->socket, $seconds)
            : $this->called('floor_tcp', $endpoint->host, $endpoint->port, $seconds);

        return $socket >= 0 ? $socket : throw Failed::connecting('memcached', 'refused');
    }

    private function called(string $function, mixed ...$arguments): int
    {
        // What FFI makes of a C declaration, no analysis knows.
        $result = $this->floor()->{$function}(...$arguments); // @phpstan-ignore method.dynamicName

        return \is_int($result) ? $result : 0;
    }

    private function floor(): FFI
    {
        return $this->floor ?? throw new LogicException('not connected');
    }
}
