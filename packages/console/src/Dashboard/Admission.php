<?php

declare(strict_types=1);

namespace Larder\Dashboard;

/**
 * Who may see the dashboard where the application lets nobody in by itself: who asks from this very machine.
 *
 * The address is the one that the server saw. A request with a header of a proxy is refused, whatever it says: then the
 * address is the proxy's, and anybody may stand behind it. The Host is one of this machine's or of the site's, since a
 * stranger's page can give its own name the address 127.0.0.1 and have the visitor's browser ask.
 *
 * @internal
 */
final readonly class Admission
{
    /** Headers by which proxies tell whom they ask for. */
    private const OF_PROXIES = [
        'cf-connecting-ip', 'client-ip', 'fastly-client-ip', 'forwarded', 'true-client-ip', 'via', 'x-client-ip',
        'x-cluster-client-ip', 'x-forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto',
        'x-original-forwarded-for', 'x-real-ip',
    ];

    private const REMEDY = 'Let the script check who it is, then pass allowsRemote: true.';

    /** @param list<string> $hosts of the site; `*` stands for any label */
    public function __construct(private array $hosts) {}

    /** @return string|null why the visitor may not; null: he may */
    public function refusal(Visit $visit): ?string
    {
        $proxy = array_intersect(self::OF_PROXIES, array_keys($visit->headers));

        return match (true) {
            $visit->address === '' => 'The server tells no REMOTE_ADDR: add fastcgi_param REMOTE_ADDR $remote_addr.',
            !self::isLoopback($visit->address) => "Only this machine may look, not $visit->address. " . self::REMEDY,
            $proxy !== [] => \sprintf('It came by a proxy: it has the header %s. %s', current($proxy), self::REMEDY),
            !$this->isOwnHost($visit->header('host')) => 'The Host is neither this machine\'s nor the site\'s.',
            default => null,
        };
    }

    private static function isLoopback(string $address): bool
    {
        $bytes = (string) @inet_pton($address);
        if (str_starts_with($bytes, str_repeat("\0", 10) . "\xff\xff") && \strlen($bytes) === 16) {
            $bytes = substr($bytes, 12);
        }

        return (\strlen($bytes) === 4 && $bytes[0] === "\x7f") || $bytes === inet_pton('::1');
    }

    private function isOwnHost(string $host): bool
    {
        $name = strtolower((string) preg_replace('/:\d{1,5}$/D', '', $host));
        if ($name === 'localhost' || self::isLoopback(trim($name, '[]'))) {
            return true;
        }
        foreach ($this->hosts as $own) {
            $expression = strtr(preg_quote(strtolower($own), '~'), ['\*' => '[a-z0-9-]+']);
            if (preg_match("~^$expression\$~D", $name) === 1) {
                return true;
            }
        }

        return false;
    }
}
