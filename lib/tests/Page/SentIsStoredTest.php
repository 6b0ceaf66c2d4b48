<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\EchoedOutput;
use Larder\Page\Interruption;
use Larder\Page\Middleware;
use Larder\Page\Pages;
use Larder\Page\PlainFront;
use Larder\Proof\Support\NewsSite;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Site\RunningSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Over a real php-fpm: what is stored is what the first visitor was sent, or nothing is stored. */
#[CoversClass(EchoedOutput::class)]
#[CoversClass(Interruption::class)]
#[CoversClass(Middleware::class)]
#[CoversClass(PlainFront::class)]
final class SentIsStoredTest extends TestCase
{
    private static NewsSite $news;

    /** @var array<int, RunningSite> by output_buffering */
    private static array $running = [];

    public static function setUpBeforeClass(): void
    {
        self::$news = new NewsSite();
        $path = self::$news->directory->path;
        foreach ([0, 4096] as $buffering) {
            self::$running[$buffering] = RunningSite::start(
                self::$news->site,
                $path . '/run' . $buffering,
                \dirname(__DIR__, 3) . '/proof/support/front.php',
                workers: 1,
                environment: ['NEWS_DIRECTORY' => $path],
                ini: ['output_buffering' => (string) $buffering],
                writable: [$path],
            );
        }
    }

    public static function tearDownAfterClass(): void
    {
        array_map(static fn(RunningSite $running) => $running->stop(), self::$running);
        self::$running = [];
        self::$news->remove();
    }

    /** @return iterable<string, array{int, string, string, string}> buffering, way, body, part of Cache-Status */
    public static function ways(): iterable
    {
        $flushed = 'detail="output was flushed before the page was whole"';
        foreach ([0, 4096] as $buffering) {
            $kept = $buffering === 0 ? '' : $flushed;
            // Since PHP 8.4 flush() sends the headers even if all of the output still lies in a buffer.
            $keptByFlush = \PHP_VERSION_ID >= 80400 ? '' : $kept;
            foreach ([
                'whole' => ['HEAD TAIL', 'stored'],
                'inner' => ['HEAD INNER TAIL', 'stored'],
                'late' => ['HEAD TAIL', 'stored'],
                'after' => ['HEAD TAIL', 'stored'],
                'flush' => ['HEAD TAIL', $keptByFlush],
                'end' => ['HEAD TAIL', $keptByFlush],
                'restart' => ['HEAD TAIL', $kept],
                'end-all' => ['HEAD TAIL', ''],
                'get' => ['HEAD TAIL', $kept],
                'finish' => ['HEAD ', ''],
                'exit' => ['HEAD ', 'detail="the script ended inside the render'],
                'before' => ['BEFORE HEAD TAIL', $buffering === 0 ? '' : 'detail="output came before the page"'],
                'psr' => ['HEAD TAIL', 'stored'],
                'psr-flush' => ['HEAD TAIL', $kept],
                'psr-before' => [
                    'BEFORE HEAD TAIL',
                    $buffering === 0 ? '' : 'detail="output came before the page"',
                ],
            ] as $way => [$body, $status]) {
                yield "$way, output_buffering $buffering" => [$buffering, $way, $body, $status];
            }
        }
    }

    #[DataProvider('ways')]
    public function testTheSecondVisitorGetsWhatTheFirstOneGot(
        int $buffering,
        string $way,
        string $body,
        string $status,
    ): void {
        $url = self::$running[$buffering]->url . "/output-$buffering/$way";
        $first = Connection::fetch($url);
        $second = Connection::fetch($url);

        self::assertSame([$body, $body], [$first->body, $second->body]);
        self::assertStringContainsString($status, $first->header('Cache-Status') ?? '');
        self::assertSame($status === 'stored', self::$news->stores("/output-$buffering/$way"));
        self::assertSame($status === 'stored', str_ends_with($second->header('Cache-Status') ?? '', 'hit'));
        if ($status !== 'stored') {
            $reason = Pages::of(self::$news->site)->refusals()->of("/output-$buffering/$way")['reason'] ?? '';
            self::assertMatchesRegularExpression('/^(?:output|the script) /', $reason, 'larder explain says why.');
        }
    }

    public function testARenderSeesNothingOfTheClientThatTheKeyDoesNotHold(): void
    {
        $secret = 'a-client-of-' . bin2hex(random_bytes(8));
        $headers = ["Accept-Encoding: $secret, gzip;q=0.5", "User-Agent: $secret", "Cookie: a=$secret", "X-A: $secret"];
        $answer = Connection::fetch(self::$running[0]->url . '/environment', headers: $headers);
        $body = (string) gzdecode($answer->body);
        ['server' => $server, 'process' => $process] = (array) json_decode($body, true);

        self::assertStringEndsWith('stored', $answer->header('Cache-Status') ?? '');
        self::assertStringNotContainsString($secret, $body);
        self::assertIsArray($server);
        self::assertIsArray($process);
        self::assertSame([], preg_grep('/^(?:HTTP|REMOTE)_|ACCEPT/', array_keys($server)));
        self::assertSame(
            ['LARDER_ACCEPT_ENCODING'],
            array_values((array) preg_grep('/^(?:HTTP|REMOTE)_|ACCEPT/', array_keys($process))),
        );
    }

    public function testWhatIsEchoedAfterAStoredPageIsLoggedAndAfterAnotherAnswerIsSent(): void
    {
        $running = self::$running[4096];
        Connection::fetch($running->url . '/logged/after');
        Connection::fetch($running->url . '/logged/exit');
        $bypass = Connection::fetch($running->url . '/logged/after?x=1');

        self::assertSame('HEAD TAIL AFTER', $bypass->body);
        $log = (string) file_get_contents($running->directory . '/php.log');
        // Another test may have been the first of the minute.
        self::assertMatchesRegularExpression('/\d+ bytes were echoed after run\(\)/', $log);
        self::assertStringContainsString('the script ended inside the render', $log);
    }
}
