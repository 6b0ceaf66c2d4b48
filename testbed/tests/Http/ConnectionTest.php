<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Http;

use Larder\Testbed\Http\Connection;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Connection::class)]
final class ConnectionTest extends TestCase
{
    private const OK = "HTTP/1.1 200 OK\r\n";

    /** @return iterable<string, array{string, array{int, string}}> */
    public static function whole(): iterable
    {
        yield 'by length' => [self::OK . "Content-Length: 5\r\n\r\nhello", [200, 'hello']];
        yield 'by length, empty' => [self::OK . "Content-Length: 0\r\n\r\n", [200, '']];
        yield 'in parts' => [
            "HTTP/1.1 2<part>00 OK\r\nContent-Len<part>gth: 5\r\n\r<part>\nhel<part>lo",
            [200, 'hello'],
        ];
        yield 'chunked' => [
            self::OK . "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n, world!!!\r\n0\r\n\r\n",
            [200, 'hello, world!!!'],
        ];
        yield 'chunked, in parts' => [
            self::OK . "Transfer-Encoding: chunked\r\n\r\n5<part>\r\nhe<part>llo\r<part>\n0\r\n<part>\r\n",
            [200, 'hello'],
        ];
        yield 'a chunk that looks like an end' => [
            self::OK . "Transfer-Encoding: chunked\r\n\r\n7\r\n0\r\n\r\n0\r\r\n0\r\n\r\n",
            [200, "0\r\n\r\n0\r"],
        ];
        yield 'not modified has no body' => ["HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n", [304, '']];
        yield 'an error is an answer too' => [
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\nno",
            [503, 'no'],
        ];
    }

    /** @param array{int, string} $expected */
    #[DataProvider('whole')]
    public function testReadsAWholeAnswerAndKeepsTheConnection(string $answer, array $expected): void
    {
        $server = new ScriptedServer([$answer, self::OK . "Content-Length: 4\r\nX-Two: b\r\n\r\nnext"]);
        $connection = new Connection($server->address, 'pantry.example');
        $first = $connection->request('/one', ['Accept-Encoding: gzip', 'If-None-Match: "x"']);
        $second = $connection->request('/two');
        $connection->close();
        $requests = $server->stop();

        self::assertNotNull($first);
        self::assertSame($expected, [$first->status, $first->body]);
        if (!isset($first->headers['transfer-encoding'])) {
            self::assertSame(
                \strlen(str_replace(ScriptedServer::PART, '', $answer)),
                $first->length,
                'of the whole answer',
            );
        }
        self::assertSame(['next', 'b'], [$second?->body, $second?->headers['x-two'] ?? null]);
        self::assertSame(
            [
                'GET /one HTTP/1.1 | Host: pantry.example | Accept-Encoding: gzip | If-None-Match: "x"',
                'GET /two HTTP/1.1 | Host: pantry.example',
            ],
            $requests,
        );
    }

    /** @return iterable<string, array{string}> */
    public static function broken(): iterable
    {
        yield 'nothing' => [''];
        yield 'within the head' => [self::OK . "Content-Le"];
        yield 'within the body' => [self::OK . "Content-Length: 10\r\n\r\nhello"];
        yield 'within a chunk' => [self::OK . "Transfer-Encoding: chunked\r\n\r\nA\r\nhello"];
        yield 'between chunks' => [self::OK . "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"];
        yield 'before the last line end' => [self::OK . "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"];
        yield 'no known length' => [self::OK . "\r\nhello"];
        yield 'no HTTP' => ["SSH-2.0-x\r\n\r\n"];
    }

    #[DataProvider('broken')]
    public function testACutAnswerIsNoneAndTheNextIsAskedAnew(string $answer): void
    {
        $server = new ScriptedServer([
            $answer . ScriptedServer::CUT,
            self::OK . "Content-Length: 4\r\nConnection: close\r\n\r\nnext" . ScriptedServer::CUT,
            self::OK . "Content-Length: 4\r\n\r\nlast",
        ]);
        $connection = new Connection($server->address);
        $answers = [
            $connection->request('/one'),
            $connection->request('/two')->body ?? null,
            $connection->request('/three')->body ?? null,
        ];
        $server->stop();

        self::assertSame([null, 'next', 'last'], $answers);
    }

    public function testNobodyThereIsNoAnswer(): void
    {
        $server = new ScriptedServer([]);
        $server->stop();

        self::assertNull((new Connection($server->address))->request('/'));
    }
}
