<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Http\Controller;
use App\Http\RouteMatch;
use Larder\Page\Area;
use Larder\Page\Attribute\Reads;
use Larder\Sql\Tracker\RecordingPdo;
use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use RuntimeException;

/**
 * A page that may be stored, and does what its name says.
 *
 * Its text has the number of the render, so that a visitor who gets somebody else's is found out.
 */
#[Reads('news')]
final readonly class TrapPage implements Controller
{
    public function __construct(
        private RecordingPdo $database,
        private RenderLog $log,
    ) {}

    public function answer(ServerRequestInterface $request): ResponseInterface
    {
        $what = RouteMatch::word($request, 'what');
        $page = self::page(\sprintf('%s, render %d', $what, $this->log->begin($what)));
        $page = $this->ofAnswer($what, $page)
            ?? $this->beside($what, $page)
            ?? $this->ofDatabase($what, $page)
            ?? self::ofRequest($what, $page, $request)
            ?? $page;
        $this->log->end($what);

        return $page;
    }

    private function ofAnswer(string $what, ResponseInterface $page): ?ResponseInterface
    {
        return match ($what) {
            'cookie' => $page->withHeader('Set-Cookie', 'who=first'),
            'private' => $page->withHeader('Cache-Control', 'max-age=60, private'),
            'no-store' => $page->withHeader('Cache-Control', 'No-Store'),
            'max-age' => $page->withHeader('Cache-Control', 'max-age=60'),
            'status-201' => $page->withStatus(201),
            'status-422' => $page->withStatus(422),
            'status-503' => $page->withStatus(503),
            'redirect' => $page->withStatus(303)->withHeader('Location', '/news/4'),
            'header' => $page->withHeader('Content-Language', 'en'),
            'vary' => $page->withHeader('Vary', 'Cookie'),
            'type' => $page->withHeader('Content-Type', 'application/json'),
            'empty' => new Response(200, ['Content-Type' => Area::HTML], ''),
            'noise' => self::page(base64_encode(random_bytes(6_000)) . ' the end'),
            'large' => self::page($page->getBody() . str_repeat('.', TrapSite::LARGEST)),
            default => null,
        };
    }

    /** What goes past the response. */
    private function beside(string $what, ResponseInterface $page): ?ResponseInterface
    {
        switch ($what) {
            case 'cookie-beside':
                setcookie('who', 'first');

                return $page;
            case 'session':
                session_start();

                return $page;
            case 'session-bare':
                session_start(['use_cookies' => false, 'cache_limiter' => '']);

                return $page;
            case 'session-closed':
                session_start(['use_cookies' => false, 'cache_limiter' => '', 'read_and_close' => true]);

                return $page;
            case 'header-beside':
                header('Content-Language: en');

                return $page;
            case 'private-beside':
                header('Cache-Control: private');

                return $page;
            case 'echo':
                echo '<p>said first</p>';

                return $page;
            case 'echo-flushed':
                echo '<p>said first</p>';
                while (ob_get_level() > 0) {
                    ob_end_flush();
                }
                flush();

                return $page;
            case 'throw':
                throw new RuntimeException('The trap throws.');
            case 'echo-throw':
                echo '<p>half a page</p>';
                throw new RuntimeException('The trap throws after it said something.');
            case 'slow-one':
            case 'slow-two':
                usleep(TrapSite::SLOW);

                return $page;
            default:
                return null;
        }
    }

    private function ofDatabase(string $what, ResponseInterface $page): ?ResponseInterface
    {
        $driver = $this->database->dialect()->driver();
        $sql = match ($what) {
            'write' => 'UPDATE news SET author = author WHERE id = 1',
            'begin' => 'BEGIN',
            'setting' => match ($driver) {
                'mysql' => 'SET SESSION wait_timeout = 1000',
                'pgsql' => "SET work_mem = '8MB'",
                default => 'PRAGMA cache_size = 2000',
            },
            'undeclared' => 'SELECT COUNT(*) FROM comment',
            'unregistered' => 'SELECT COUNT(*) FROM larder_ledger',
            'clock' => "SELECT title FROM news WHERE '2000-01-01' < CURRENT_TIMESTAMP",
            'chance' => \sprintf('SELECT id FROM news ORDER BY %s() LIMIT 1', $driver === 'mysql' ? 'rand' : 'random'),
            default => null,
        };
        if ($sql === null) {
            return null;
        }
        $this->database->query($sql);

        return $page;
    }

    private static function ofRequest(
        string $what,
        ResponseInterface $page,
        ServerRequestInterface $request,
    ): ?ResponseInterface {
        $seen = match ($what) {
            'forwarded-host' => $request->getHeaderLine('X-Forwarded-Host'),
            'language' => $request->getHeaderLine('Accept-Language'),
            'agent' => $request->getHeaderLine('User-Agent'),
            'agent-global' => $_SERVER['HTTP_USER_AGENT'] ?? 'nothing',
            'all-headers' => $request->getHeaders()['User-Agent'][0] ?? 'nothing',
            'cookie-read' => $request->getCookieParams()['colour'] ?? 'nothing',
            'cookie-global' => $_COOKIE['colour'] ?? 'nothing',
            'address' => $request->getServerParams()['REMOTE_ADDR'] ?? 'nothing',
            'query' => http_build_query($request->getQueryParams()),
            'mirror' => self::mirror(),
            default => null,
        };

        return $seen === null
            ? null
            : self::page(\sprintf('%s saw %s', $page->getBody(), \is_string($seen) ? $seen : ''));
    }

    /** All that a request says of itself, and a render can see without asking Larder; but what the site passes. */
    private static function mirror(): string
    {
        $passed = ['x-forwarded-host' => 0, 'accept-language' => 0, 'user-agent' => 0, 'cookie' => 0];
        $headers = array_diff_key(array_change_key_case(getallheaders()), $passed);
        $body = file_get_contents('php://input');

        return print_r([$_SERVER, $_GET, $_POST, $_COOKIE, $_REQUEST, $_FILES, $headers, $body], true);
    }

    private static function page(string $text): ResponseInterface
    {
        return new Response(
            200,
            ['Content-Type' => Area::HTML],
            "<!doctype html>\n<title>Trap</title>\n<p>{$text}</p>\n",
        );
    }
}
