<?php

declare(strict_types=1);

namespace App\Tests\Http;

use App\Http\Form;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7\ServerRequest;
use Nyholm\Psr7Server\ServerRequestCreator;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** A form of another site is refused although the page holds no token. */
#[CoversClass(Form::class)]
final class FormOriginTest extends TestCase
{
    /** @return iterable<string, array{array<string, string>}> */
    public static function ours(): iterable
    {
        yield 'says nothing, as a program does' => [[]];
        yield 'same origin' => [['Sec-Fetch-Site' => 'same-origin']];
        yield 'typed by the reader' => [['Sec-Fetch-Site' => 'none']];
        yield 'Origin with its port' => [['Origin' => 'http://pantry.example:8080']];
        yield 'Origin in capitals' => [['Origin' => 'http://Pantry.example:8080']];
        yield 'only a Referer' => [['Referer' => 'http://pantry.example:8080/news/4']];
        yield 'behind TLS' => [['Origin' => 'https://pantry.example:8080']];
    }

    /** @return iterable<string, array{array<string, string>}> */
    public static function others(): iterable
    {
        yield 'cross-site' => [['Sec-Fetch-Site' => 'cross-site', 'Origin' => 'http://pantry.example:8080']];
        yield 'same site, other origin' => [['Sec-Fetch-Site' => 'same-site']];
        yield 'other host' => [['Origin' => 'http://evil.example']];
        yield 'other port' => [['Origin' => 'http://pantry.example:81']];
        yield 'no port' => [['Origin' => 'http://pantry.example']];
        yield 'no origin that could be named' => [['Origin' => 'null']];
        yield 'Origin counts before Referer' => [[
            'Origin' => 'http://evil.example',
            'Referer' => 'http://pantry.example:8080/',
        ]];
        yield 'other Referer' => [['Referer' => 'http://evil.example/pantry.example:8080']];
        yield 'our name as a user' => [['Referer' => 'http://pantry.example:8080@evil.example/']];
        yield 'our name at the front' => [['Origin' => 'http://pantry.example:8080.evil.example']];
    }

    /** @param array<string, string> $headers */
    #[DataProvider('ours')]
    public function testTakesOurOwn(array $headers): void
    {
        self::assertSame([], $this->problems($headers));
    }

    /** @param array<string, string> $headers */
    #[DataProvider('others')]
    public function testRefusesOthers(array $headers): void
    {
        self::assertSame(['form' => 'was sent from another site'], $this->problems($headers));
    }

    public function testBelievesTheBrowsersHostAndNotTheServersPort(): void
    {
        $factory = new Psr17Factory();
        $creator = new ServerRequestCreator($factory, $factory, $factory, $factory);
        foreach ([
            'pantry.example' => 'http://pantry.example',
            'pantry.example:81' => 'http://pantry.example:81',
        ] as $host => $origin) {
            $server = [
                'REQUEST_METHOD' => 'POST',
                'REQUEST_SCHEME' => 'http',
                'SERVER_PORT' => '8080',
                'HTTP_HOST' => $host,
                'REQUEST_URI' => '/news/4/comment',
            ];
            $request = $creator->fromArrays($server, ['Host' => $host, 'Origin' => $origin]);

            self::assertSame([], (new Form($request))->problems(), $host);
            self::assertNotSame(
                [],
                (new Form($request->withHeader('Origin', 'http://pantry.example:8080')))->problems(),
                $host,
            );
        }
    }

    /**
     * @param array<string, string> $headers
     *
     * @return array<string, string>
     */
    private function problems(array $headers): array
    {
        return (new Form(new ServerRequest('POST', 'http://pantry.example:8080/news/4/comment', $headers)))->problems();
    }
}
