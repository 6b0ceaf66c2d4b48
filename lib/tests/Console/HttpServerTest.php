<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Console\HttpServer;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Symfony\Component\Process\InputStream;
use Symfony\Component\Process\Process;

#[CoversClass(HttpServer::class)]
final class HttpServerTest extends TestCase
{
    /** Answers each connection by the request that came on it, and as its path says. */
    private const SERVER = <<<'PHP'
        $server = stream_socket_server($argv[1]);
        echo stream_socket_get_name($server, false), "\n";
        while ($client = stream_socket_accept($server, -1)) {
            $asked = '';
            while (!str_contains($asked, "\r\n\r\n")) {
                $asked .= fread($client, 4096);
            }
            match (true) {
                str_contains($asked, '/silent') => sleep(60),
                str_contains($asked, '/nothing') => null,
                str_contains($asked, '/moved') => fwrite($client, "HTTP/1.1 301 M\r\nLocation: /x\r\n\r\nmoved"),
                default => fwrite($client, "HTTP/1.1 500 E\r\n\r\n" . $asked),
            };
            fclose($client);
        }
        PHP;

    private ?Process $server = null;

    protected function tearDown(): void
    {
        $this->server?->stop(0);
    }

    public function testTheRequestIsLetterForLetterAndNoProxyIsAsked(): void
    {
        $address = $this->start('tcp://127.0.0.1:0');
        $_SERVER['http_proxy'] = 'http://127.0.0.1:1';
        try {
            foreach (['/a?x=%7E%41b"|<\'&=', '/%C3%A4/%28', '/?%2F', '/@larder/status'] as $uri) {
                $said = (new HttpServer($address, 'example.org', 60))->fetch($uri, ['Cookie' => 'a=b']);
                self::assertSame(500, $said[0]);
                self::assertStringStartsWith("GET $uri HTTP/1.1\r\n", $said[1]);
                self::assertStringContainsString("\r\nHost: example.org\r\n", $said[1]);
                self::assertStringContainsString("\r\nConnection: close\r\n", $said[1]);
                self::assertStringContainsString("\r\nCookie: a=b\r\n", $said[1]);
            }
        } finally {
            unset($_SERVER['http_proxy']);
        }
        self::assertSame([301, 'moved'], (new HttpServer($address, 'example.org', 60))->fetch('/moved'));
    }

    public function testAUnixSocket(): void
    {
        $directory = new TemporaryDirectory('larder-http');
        $this->start("unix://$directory->path/socket");
        $server = new HttpServer("unix:$directory->path/socket", 'example.org', 60);
        self::assertStringStartsWith("GET /a HTTP/1.1\r\n", $server->fetch('/a')[1]);
        self::assertSame('No such file or directory', self::failure("unix:$directory->path/none"));
        $directory->remove();
    }

    public function testWithoutAnAnswer(): void
    {
        $address = $this->start('tcp://127.0.0.1:0');
        self::assertSame([0, ''], (new HttpServer($address, 'example.org', 60))->fetch('/nothing'));
        self::assertSame([0, ''], (new HttpServer($address, 'example.org', 0.05))->fetch('/silent'));
        $this->server?->stop(0);
        self::assertSame('Connection refused', self::failure($address));
    }

    public function testWithoutTheExtensionItIsNamed(): void
    {
        $code = 'require $argv[1];
            try {
                new Larder\Console\HttpServer("127.0.0.1:80", "example.org", 1.0);
            } catch (Larder\Console\Refused $refused) {
                echo $refused->getMessage();
            }';
        $php = new Process([PHP_BINARY, '-n', '-r', $code, \dirname(__DIR__, 3) . '/vendor/autoload.php']);
        $php->mustRun();
        self::assertStringContainsString('apt install php-curl', $php->getOutput());
    }

    private static function failure(string $address): string
    {
        try {
            (new HttpServer($address, 'example.org', 60))->fetch('/');
        } catch (RuntimeException $exception) {
            return $exception->getMessage();
        }
        self::fail('there is no server');
    }

    private function start(string $address): string
    {
        $this->server = new Process([PHP_BINARY, '-r', self::SERVER, $address], timeout: null);
        $this->server->setInput(new InputStream());
        $this->server->start();
        $name = '';
        $this->server->waitUntil(static function (string $type, string $bytes) use (&$name): bool {
            $name .= $bytes;

            return str_contains($name, "\n");
        });

        return trim($name);
    }
}
