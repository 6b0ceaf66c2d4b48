<?php

declare(strict_types=1);

namespace Larder\Dashboard;

use Larder\Metrics\SharedFile;
use Larder\Page\HostKey;
use Psr\Clock\ClockInterface;

/**
 * Says whether a request to flush came from the dashboard's own page, and not from another one that the visitor has
 * open: a token of one use and ten minutes, bound to a cookie that browsers send to no request of another site.
 *
 * A token is `end.number.code`: the code is HMAC-SHA256 over the cookie, the end and the number, by a key that only
 * this host has.
 *
 * @internal
 */
final readonly class FlushTokens
{
    public const COOKIE = 'larder_dashboard';

    private const SECONDS = 600;

    /** Used tokens that are remembered. With more in ten minutes no flush is allowed. */
    private const MOST = 1000;

    /** @param string $directory of the site's pages */
    public function __construct(private string $directory, private ClockInterface $clock) {}

    /** @return string|null the cookie's value of this visit; null: it has none */
    public static function cookie(Visit $visit): ?string
    {
        $cookie = $visit->cookies[self::COOKIE] ?? null;

        return \is_string($cookie) && preg_match('/^[0-9a-f]{32}$/D', $cookie) === 1 ? $cookie : null;
    }

    /** @return string|null null: there can be no key */
    public function token(string $cookie): ?string
    {
        $end = (string) ($this->clock->now()->getTimestamp() + self::SECONDS);
        $number = bin2hex(random_bytes(16));
        $code = $this->code($cookie, $end, $number);

        return $code === null ? null : "$end.$number.$code";
    }

    /** @return string|null why the visit may change nothing; null: it may, this once */
    public function refusal(Visit $visit, string $token): ?string
    {
        $cookie = self::cookie($visit);
        $site = $visit->header('sec-fetch-site');
        return match (true) {
            !\in_array($site, ['', 'same-origin'], true) => 'It came from another site.',
            !self::isOwnOrigin($visit) => 'Its Origin is not the dashboard\'s.',
            preg_match('~^application/json(?:;|$)~D', strtolower($visit->header('content-type'))) !== 1
                => 'Its body is no JSON.',
            $cookie === null => 'It has no cookie of the dashboard: load the page anew.',
            !$this->isOurs($cookie, $token) => 'Its token is not of this cookie, or too old: load the page anew.',
            !$this->isFirst($token) => 'Its token was used before: load the page anew.',
            default => null,
        };
    }

    /**
     * The scheme may be https behind what ends TLS. Servers may leave the port out of the Host, as Debian's nginx does:
     * then it is the server's, or the browser says that it is the same.
     */
    private static function isOwnOrigin(Visit $visit): bool
    {
        $scheme = $visit->isHttps ? 'https' : 'https?';
        $host = strtolower($visit->header('host'));
        $own = preg_quote($host, '~');
        if (preg_match('/:\d+$/D', $host) !== 1) {
            $isSame = $visit->header('sec-fetch-site') === 'same-origin';
            $own .= $isSame ? '(?::\d{1,5})?' : "(?::$visit->port)?";
        }

        return $host !== '' && preg_match("~^$scheme://$own\$~D", strtolower($visit->header('origin'))) === 1;
    }

    private function isOurs(string $cookie, string $token): bool
    {
        // In one way of writing alone, so that a used one is known again.
        if (preg_match('/^(\d{1,12})\.([0-9a-f]{32})\.([0-9a-f]{64})$/D', $token, $found) !== 1) {
            return false;
        }
        [, $end, $number, $code] = $found;
        $own = $this->code($cookie, $end, $number);

        return $own !== null
            && hash_equals($own, $code)
            && (int) $end >= $this->clock->now()->getTimestamp();
    }

    /** Remembers a token as used. Where that cannot be written down, nothing is allowed. */
    private function isFirst(string $token): bool
    {
        $now = $this->clock->now()->getTimestamp();

        return (new SharedFile($this->directory . '/dashboard-used'))->change(
            static function (string $old) use ($token, $now): ?string {
                $lines = explode("\n", $old);
                $used = array_filter($lines, static fn(string $line): bool => self::end($line) >= $now);
                if (\in_array($token, $used, true) || \count($used) >= self::MOST) {
                    return null;
                }

                return implode("\n", [...$used, $token]);
            },
        );
    }

    /** Its number is left out: `(int) '1700000000.9e999'` is 0, since that is a power of ten beyond all floats. */
    private static function end(string $token): int
    {
        return (int) strstr("$token.", '.', true);
    }

    private function code(string $cookie, string $end, string $number): ?string
    {
        return (new HostKey($this->directory))->code('flush', "$cookie\0$end\0$number");
    }
}
