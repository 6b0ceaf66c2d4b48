<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Page\Context;
use Larder\Page\EchoedOutput;
use Larder\Page\GuardedRequest;
use Larder\Page\Middleware;
use Larder\Page\UnkeyedGlobals;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\NewsSite;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7\Response;
use Nyholm\Psr7\ServerRequest;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;
use RuntimeException;

#[CoversClass(Middleware::class)]
#[CoversClass(GuardedRequest::class)]
#[CoversClass(UnkeyedGlobals::class)]
#[CoversClass(EchoedOutput::class)]
final class MiddlewareTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testStoresWhatTheHandlerAnswers(): void
    {
        $response = $this->process(static fn(): ResponseInterface => self::page('hello'));

        self::assertSame('hello', (string) $response->getBody());
        self::assertSame('larder; fwd=miss; stored', $response->getHeaderLine('Cache-Status'));
        self::assertStringEqualsFile($this->news->site->pages . '/current/news/4~page', 'hello');
    }

    /** @return iterable<string, array{Closure(ServerRequestInterface): mixed, string}> */
    public static function unkeyed(): iterable
    {
        yield 'X-Forwarded-Host' => [
            static fn(ServerRequestInterface $request) => $request->getHeaderLine('X-Forwarded-Host'),
            'the header X-Forwarded-Host',
        ];
        yield 'Accept-Language' => [
            static fn(ServerRequestInterface $request) => $request->getHeader('Accept-Language'),
            'the header Accept-Language',
        ];
        yield 'User-Agent' => [
            static fn(ServerRequestInterface $request) => $request->hasHeader('User-Agent'),
            'the header User-Agent',
        ];
        yield 'all headers' => [static fn(ServerRequestInterface $request) => $request->getHeaders(), 'all headers'];
        yield 'cookies' => [static fn(ServerRequestInterface $request) => $request->getCookieParams(), 'the cookies'];
        yield 'REMOTE_ADDR' => [
            static fn(ServerRequestInterface $request) => $request->getServerParams(),
            'the server parameters',
        ];
        yield 'body' => [
            static fn(ServerRequestInterface $request) => (string) $request->getBody(),
            'the request body',
        ];
        yield 'parsed body' => [
            static fn(ServerRequestInterface $request) => $request->getParsedBody(),
            'the request body',
        ];
        yield 'files' => [
            static fn(ServerRequestInterface $request) => $request->getUploadedFiles(),
            'the uploaded files',
        ];
        yield 'protocol' => [
            static fn(ServerRequestInterface $request) => $request->getProtocolVersion(),
            'the protocol version',
        ];
        yield 'through a copy' => [
            static fn(ServerRequestInterface $request) => $request->withAttribute('a', 1)->getHeaderLine('Cookie'),
            'the header Cookie',
        ];
    }

    /** @param Closure(ServerRequestInterface): mixed $look */
    #[DataProvider('unkeyed')]
    public function testARenderThatLooksAtWhatTheKeyDoesNotHoldIsNotStored(Closure $look, string $what): void
    {
        $response = $this->process(static function (ServerRequestInterface $request) use ($look): ResponseInterface {
            return self::page((string) json_encode($look($request)));
        });

        self::assertStringContainsString(
            \sprintf('the render read %s, which the key does not hold', $what),
            $response->getHeaderLine('Cache-Status'),
        );
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testARenderThatReadsTheContextIsNotStored(): void
    {
        $response = $this->process(static function (ServerRequestInterface $request): ResponseInterface {
            $context = $request->getAttribute(Middleware::CONTEXT);

            return self::page($context instanceof Context ? (string) $context->value('role') : 'none');
        }, ['LARDER_CONTEXT' => 'role:editor']);

        self::assertSame('editor', (string) $response->getBody());
        self::assertStringContainsString(
            "the render read the context by Context::value('role') at MiddlewareTest.php:",
            $response->getHeaderLine('Cache-Status'),
        );
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testWhatIsEchoedBesideTheAnswerIsSentAndNotStored(): void
    {
        $response = $this->process(static function (): ResponseInterface {
            echo 'said first, ';
            ob_start();
            echo 'and again, ';

            return self::page('hello');
        });

        self::assertSame('said first, and again, hello', (string) $response->getBody());
        self::assertSame('28', $response->getHeaderLine('Content-Length'));
        self::assertStringContainsString('output was sent beside the answer', $response->getHeaderLine('Cache-Status'));
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testAnExceptionPassesWithoutWhatWasEchoedBeforeIt(): void
    {
        $level = ob_get_level();
        try {
            $this->process(static function (): never {
                echo 'half a page';
                throw new RuntimeException('in the middle');
            });
            self::fail('The exception passes.');
        } catch (RuntimeException $exception) {
            self::assertSame('in the middle', $exception->getMessage());
        }
        self::assertSame($level, ob_get_level());
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testSuperglobalsHideWhatTheKeyDoesNotHoldForAsLongAsTheRenderRuns(): void
    {
        $globals = [$_SERVER, $_COOKIE, $_REQUEST, $_ENV];
        $_SERVER = [
            'HTTP_USER_AGENT' => 'one',
            'REMOTE_ADDR' => '192.0.2.1',
            'REQUEST_URI' => '/news/4',
            'HTTPS' => 'on',
        ];
        $_ENV = ['HTTP_ACCEPT_LANGUAGE' => 'de', 'HOME' => '/'];
        $_COOKIE = $_REQUEST = ['colour' => 'red'];
        try {
            $response = $this->process(
                static fn(): ResponseInterface => self::page(
                    (string) json_encode([$_SERVER, $_COOKIE, $_REQUEST, $_ENV], JSON_UNESCAPED_SLASHES),
                ),
            );
            $after = [$_SERVER['HTTP_USER_AGENT'] ?? null, $_COOKIE, $_REQUEST, $_ENV['HTTP_ACCEPT_LANGUAGE'] ?? null];
        } finally {
            [$_SERVER, $_COOKIE, $_REQUEST, $_ENV] = $globals;
        }

        self::assertSame('[{"REQUEST_URI":"/news/4","HTTPS":"on"},[],[],{"HOME":"/"}]', (string) $response->getBody());
        self::assertSame(['one', ['colour' => 'red'], ['colour' => 'red'], 'de'], $after);
    }

    public function testTheKeyedPartsOfARequestAreFree(): void
    {
        $response = $this->process(static function (ServerRequestInterface $request): ResponseInterface {
            $seen = [
                $request->getMethod(),
                (string) $request->getUri(),
                $request->getRequestTarget(),
                $request->getQueryParams(),
                $request->getAttribute(Middleware::CONTROLLER),
                \count($request->getAttributes()),
            ];

            return self::page(
                (string) json_encode(
                    $request->withoutAttribute('x')->withQueryParams([])->withParsedBody(null)->getMethod(),
                )
                    . json_encode($seen),
            );
        });

        self::assertSame('larder; fwd=miss; stored', $response->getHeaderLine('Cache-Status'));
    }

    /**
     * @param Closure(ServerRequestInterface): ResponseInterface $answer
     * @param array<string, string>                              $server more of what nginx passes
     */
    private function process(Closure $answer, array $server = []): ResponseInterface
    {
        $factory = new Psr17Factory();
        $handler = new class ($answer) implements RequestHandlerInterface {
            /** @param Closure(ServerRequestInterface): ResponseInterface $answer */
            public function __construct(private readonly Closure $answer) {}

            public function handle(ServerRequestInterface $request): ResponseInterface
            {
                return ($this->answer)($request);
            }
        };
        $request = (new ServerRequest(
            'GET',
            'http://localhost/news/4',
            ['Accept-Language' => 'de'],
            serverParams: ['REQUEST_METHOD' => 'GET', 'LARDER_PAGE' => '/news/4'] + $server,
        ))
            ->withAttribute(Middleware::CONTROLLER, NewsController::class);

        return (new Middleware($this->news->cache(), $factory, $factory))->process($request, $handler);
    }

    private static function page(string $body): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $body);
    }
}
