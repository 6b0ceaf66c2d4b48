<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Subject;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Sql\HandlerSocketConnection;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** The parser of replies, told all kinds of things by a socket of this test. */
final class HandlerSocketConnectionTest extends TestCase
{
    /** @var resource */
    private mixed $listener;

    /** @var resource */
    private mixed $peer;

    private HandlerSocketConnection $connection;

    protected function setUp(): void
    {
        $listener = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($listener);
        $this->listener = $listener;
        $this->connection = new HandlerSocketConnection(
            '127.0.0.1',
            (int) substr((string) strrchr((string) stream_socket_get_name($listener, false), ':'), 1),
            0.1,
        );
        $peer = stream_socket_accept($listener, 1.0);
        self::assertIsResource($peer);
        $this->peer = $peer;
    }

    protected function tearDown(): void
    {
        $this->connection->close();
        fclose($this->peer);
        fclose($this->listener);
    }

    /** @return iterable<string, array{string, list<string>}> */
    public static function replies(): iterable
    {
        yield 'nothing found' => ["0\t1\n", []];
        yield 'a value' => ["0\t1\tvalue\n", ['value']];
        yield 'an empty value' => ["0\t1\t\n", ['']];
        yield 'rows' => ["0\t2\ta\tb\tc\td\n", ['a', 'b', 'c', 'd']];
    }

    /** @param list<string> $fields */
    #[DataProvider('replies')]
    public function testReadsAReply(string $reply, array $fields): void
    {
        fwrite($this->peer, $reply . $reply);
        self::assertSame($fields, $this->connection->ask('test', 'first'));
        self::assertSame($fields, $this->connection->ask('test', 'second'));
        self::assertSame("first\nsecond\n", fread($this->peer, 100));
    }

    /** @return iterable<string, array{string}> */
    public static function nonsense(): iterable
    {
        $replies = [
            "\n",
            "0\n",
            "0\t\n",
            "0\t0\n",
            "\t1\n",
            "x\t1\n",
            "-1\t1\n",
            "0\t-1\n",
            "0\tx\tvalue\n",
            "0\t2\tvalue\n",
            "0\t2\ta\tb\tc\n",
            '0	1	unfinished',
            "0\t1000000\n",
            "0x0\t1\n",
            " 0\t1\n",
            "0\t1e0\n",
            "\0\t1\n",
            '',
        ];
        foreach ($replies as $reply) {
            yield json_encode($reply, JSON_THROW_ON_ERROR) => [$reply];
        }
    }

    #[DataProvider('nonsense')]
    public function testNonsenseClosesTheConnection(string $reply): void
    {
        fwrite($this->peer, $reply);
        $this->assertRefused(fn() => $this->connection->ask('test', 'request'));
        fwrite($this->peer, "0\t1\tan answer to something else\n");
        $this->assertRefused(fn() => $this->connection->ask('test', 'request'));
    }

    public function testAnErrorIsOneReplyAndTheNextIsRead(): void
    {
        fwrite($this->peer, "2\t1\tstmtnum\n0\t1\tfine\n");
        $this->assertRefused(fn() => $this->connection->ask('test', 'request'), 'error 2: stmtnum');
        self::assertSame(['fine'], $this->connection->ask('test', 'request'));
    }

    public function testAServerThatHangsUpIsNoEmptyReply(): void
    {
        stream_socket_shutdown($this->peer, STREAM_SHUT_WR);
        $this->assertRefused(fn() => $this->connection->ask('test', 'request'));
    }

    public function testRandomBytesAreAReplyOrAnExceptionAndTakeNoTime(): void
    {
        mt_srand(4);
        for ($round = 0; $round < 300; ++$round) {
            $this->tearDown();
            $this->setUp();
            $bytes = '';
            for ($length = mt_rand(1, 40); $length > 0; --$length) {
                $bytes .= ["\t", "\n", '0', '1', '2', "\x01", 'A', "\0", 'value', "\xff"][mt_rand(0, 9)];
            }
            fwrite($this->peer, $bytes . "\n");
            $begin = hrtime(true);
            try {
                foreach ($this->connection->ask('test', 'request') as $field) {
                    self::assertLessThanOrEqual(\strlen($field), \strlen($this->connection->decode($field)));
                }
            } catch (Failed $refused) {
                self::assertStringStartsWith('HandlerSocket(', $refused->getMessage());
            }
            self::assertLessThan(50e6, hrtime(true) - $begin);
        }
    }

    public function testEveryByteSurvives(): void
    {
        for ($byte = 0; $byte < 256; ++$byte) {
            foreach ([\chr($byte) . 'x', "x\x01" . \chr($byte), str_repeat(\chr($byte), 3)] as $value) {
                $field = $this->connection->encode($value);
                self::assertDoesNotMatchRegularExpression('/[\x00\x02-\x0f]/', $field);
                self::assertSame($value, $this->connection->decode($field));
            }
        }
        self::assertSame("\x01\x40\x01\x41\x01\x4f\x10", $this->connection->encode("\x00\x01\x0f\x10"));
    }

    /** @return iterable<string, array{string}> */
    public static function escapes(): iterable
    {
        yield 'NULL' => ["\0"];
        yield 'at the end' => ["value\x01"];
        yield 'of no byte' => ["\x01\x50"];
        yield 'of a byte that needs none' => ["\x01a"];
        yield 'of an escape' => ["\x01\x01\x41"];
    }

    #[DataProvider('escapes')]
    public function testAFieldThatNobodyEncodesIsRefused(string $field): void
    {
        $this->assertRefused(fn() => $this->connection->decode($field));
    }

    /** @param \Closure(): mixed $do */
    private function assertRefused(\Closure $do, string $words = 'HandlerSocket'): void
    {
        try {
            $reply = $do();
        } catch (Failed $refused) {
            self::assertStringContainsString($words, $refused->getMessage());

            return;
        }
        self::fail('taken for ' . json_encode($reply));
    }
}
