<?php

declare(strict_types=1);

namespace Larder\Dashboard;

use Larder\Exception\LarderException;
use Larder\Page\Flush;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\SystemClock;
use PDOException;
use Psr\Clock\ClockInterface;

/**
 * One page that shows what is slow, why pages are not stored, what changes dropped, who holds the memory and which
 * server is down.
 *
 * It changes nothing unless it is told that it may flush, and nobody sees it unless it is told who may:
 *
 *     // public/dashboard.php
 *     Dashboard::of(require __DIR__ . '/../larder.php', Admission::by(fn() => $user->isAdmin()))->run();
 *
 * @internal
 */
final readonly class Dashboard
{
    /** @param list<string> $followers */
    private function __construct(
        private Site $site,
        private ?Admission $admission,
        private bool $allowsFlush,
        private ClockInterface $clock,
        private array $followers,
    ) {}

    /**
     * @param Admission|null $admission who may see it; null: nobody
     * @param bool $allowsFlush whether its visitors may end a page, or all pages made from a name
     * @param list<string> $followers directories of the followers on this host, each the state of a
     *     Larder\Follow\Followed
     */
    public static function of(
        Site $site,
        ?Admission $admission = null,
        bool $allowsFlush = false,
        ClockInterface $clock = new SystemClock(),
        array $followers = [],
    ): self {
        return new self($site, $admission, $allowsFlush, $clock, $followers);
    }

    /** Answers the request that PHP runs for, by the superglobals, and sends the answer. */
    public function run(): void
    {
        $answer = $this->answer(Visit::of($_SERVER, $_GET, $_COOKIE));
        http_response_code($answer->status);
        foreach ($answer->headers as $name => $values) {
            foreach ($values as $value) {
                header($name . ': ' . $value, false);
            }
        }
        echo $answer->body;
    }

    /** @internal for run() and tests */
    public function answer(Visit $visit): Response
    {
        $see = $visit->parameter('see');
        if ($this->admission === null) {
            return self::text(403, 'Nobody may look: say who may by Dashboard::of($site, Admission::by(…)), secret() '
                . 'or passwords().');
        }
        $refusal = $this->admission->refusal($visit);
        if ($refusal !== null) {
            return self::send($refusal->status, 'text/plain; charset=utf-8', "$refusal->body\n", $refusal->headers);
        }
        if ($visit->method === 'POST' && $see === 'flush') {
            return $this->flush($visit);
        }
        if (!\in_array($visit->method, ['GET', 'HEAD'], true)) {
            return self::text(405, 'It only reads.')->with('allow', 'GET, HEAD');
        }
        $isOfPage = \in_array($visit->header('sec-fetch-site'), ['', 'same-origin', 'none'], true);
        if ($see === '' && !isset($visit->query['see'])) {
            return $this->page();
        }
        if (!$isOfPage) {
            return self::text(403, 'Only the dashboard\'s own page may ask this.');
        }

        if ($see === 'token') {
            return $this->token($visit);
        }
        $view = $this->views()->of($see, $visit->parameter('like'));

        return $view === null ? self::text(404, 'There is no such view.') : self::json($view);
    }

    private function token(Visit $visit): Response
    {
        if (!$this->allowsFlush) {
            return self::text(403, 'It only reads: Dashboard::of($site, allowsFlush: true) lets it flush.');
        }
        $cookie = FlushTokens::cookie($visit);
        $fresh = $cookie ?? bin2hex(random_bytes(16));
        $token = (new FlushTokens($this->site->pages, $this->clock))->token($fresh);
        if ($token === null) {
            return self::text(503, 'The key cannot be written to ' . $this->site->pages . '.');
        }
        $answer = self::json(['token' => $token]);

        return $cookie !== null ? $answer : $answer->with('set-cookie', \sprintf(
            '%s=%s; Path=%s; HttpOnly; SameSite=Strict%s',
            FlushTokens::COOKIE,
            $fresh,
            preg_match('~^/[A-Za-z0-9._/-]*$~D', $visit->path) === 1 ? $visit->path : '/',
            $visit->isHttps ? '; Secure' : '',
        ));
    }

    private function flush(Visit $visit): Response
    {
        if (!$this->allowsFlush) {
            return self::text(403, 'It only reads: Dashboard::of($site, allowsFlush: true) lets it flush.');
        }
        $asked = json_decode($visit->body, true);
        $asked = \is_array($asked) ? $asked : [];
        $word = static fn(string $key): string => \is_string($asked[$key] ?? null) ? $asked[$key] : '';
        $refusal = (new FlushTokens($this->site->pages, $this->clock))->refusal($visit, $word('token'));
        if ($refusal !== null) {
            return self::text(403, $refusal);
        }
        $ledger = $this->views()->ledger();
        if (\is_string($ledger)) {
            return self::text(503, $ledger);
        }
        try {
            $flush = new Flush($ledger);
            $ended = match (true) {
                $word('page') !== '' => $flush->page($word('page')),
                $word('name') !== '' => $flush->name($word('name')),
                default => null,
            };
        } catch (LarderException|PDOException $exception) {
            return self::text(503, $exception->getMessage());
        }

        return $ended === null
            ? self::text(404, 'No such page is stored, or none that a change ends.')
            : self::json($ended);
    }

    private function views(): Views
    {
        return new Views($this->site, $this->clock, $this->followers);
    }

    private function page(): Response
    {
        $nonce = base64_encode(random_bytes(18));
        $only = "'nonce-$nonce'";

        $read = static fn(string $file): string => (string) file_get_contents(__DIR__ . '/' . $file);

        return self::send(200, 'text/html; charset=utf-8', strtr(
            $read('dashboard.html'),
            [
                '{nonce}' => $nonce,
                '{site}' => htmlspecialchars($this->site->name),
                '{flush}' => $this->allowsFlush ? '1' : '',
                '{script}' => $read('dashboard.js'),
            ],
        ), ['content-security-policy' => [
            "default-src 'none'; script-src $only; style-src $only; connect-src 'self'; img-src data:; "
                . "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]]);
    }

    /** @param array<string, mixed> $values */
    private static function json(array $values): Response
    {
        $json = json_encode($values, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);

        return self::send(200, 'application/json', $json);
    }

    private static function text(int $status, string $text): Response
    {
        return self::send($status, 'text/plain; charset=utf-8', $text . "\n");
    }

    /** @param array<string, list<string>> $headers */
    private static function send(int $status, string $type, string $body, array $headers = []): Response
    {
        return new Response($status, $headers + [
            'content-type' => [$type],
            'cache-control' => ['no-store'],
            'content-security-policy' => ["default-src 'none'; frame-ancestors 'none'"],
            'x-content-type-options' => ['nosniff'],
            'x-frame-options' => ['DENY'],
            'referrer-policy' => ['same-origin'],
            'cross-origin-resource-policy' => ['same-origin'],
            'cross-origin-opener-policy' => ['same-origin'],
        ], $body);
    }
}
