<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Http;

use Larder\Testbed\Http\Response;
use Larder\Testbed\Http\ResponseReader;
use Larder\Testbed\Server\ServerFailed;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(ResponseReader::class)]
#[CoversClass(Response::class)]
final class ResponseReaderTest extends TestCase
{
    /** @return iterable<string, array{string, int, string, bool}> */
    public static function replies(): iterable
    {
        yield 'with a length' => ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 200, "0\r\n\r\n", false];
        yield 'empty' => ["HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nConnection: close\r\n\r\n", 502, '', true];
        yield 'without a body' => ["HTTP/1.1 304 Not Modified\r\n\r\n", 304, '', false];
        yield 'in chunks' => [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n0\r\n\r\nab\r\nB;x=y\r\nhello "
                . "world\r\n0\r\n\r\n",
            200,
            "0\r\n\r\nabhello world",
            false,
        ];
    }

    #[DataProvider('replies')]
    public function testReadsAReplyHoweverItComes(string $bytes, int $status, string $body, bool $closes): void
    {
        foreach ([1, 3, 1000] as $size) {
            $reader = new ResponseReader();
            $reply = null;
            foreach (str_split($bytes, $size) as $part) {
                self::assertNull($reply, 'a reply before its end');
                $reply = $reader->feed($part);
            }
            self::assertInstanceOf(Response::class, $reply);
            self::assertSame([$status, $body, $closes], [$reply->status, $reply->body, $reply->closes]);
            self::assertTrue($reader->isEmpty());
        }
    }

    public function testTheServersEndIsTheBodysWhereNothingElseSaysIt(): void
    {
        $reader = new ResponseReader();

        self::assertNull($reader->feed("HTTP/1.0 200 OK\r\nX-a: b\r\n\r\nhalf"));
        self::assertNull($reader->feed(' and half'));
        self::assertSame('half and half', $reader->close()->body ?? null);
    }

    public function testWhatBreaksOffIsNoReply(): void
    {
        $reader = new ResponseReader();

        self::assertNull($reader->feed("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
        self::assertNull($reader->close());
        self::assertFalse($reader->isEmpty());
    }

    public function testOtherProtocolsAreRefused(): void
    {
        $this->expectException(ServerFailed::class);
        (new ResponseReader())->feed("SSH-2.0-OpenSSH\r\n\r\n");
    }

    public function testHeadersAreFoundWhateverTheirCase(): void
    {
        $reply = (new ResponseReader())->feed("HTTP/1.1 200 OK\r\nX-Cache:  a hit \r\ncontent-length: 0\r\n\r\n");

        self::assertSame(
            ['a hit', 'X-Cache', null],
            [$reply?->header('x-cache'), $reply?->spelling('x-cache'), $reply?->header('Cache')],
        );
    }
}
