<?php

declare(strict_types=1);

namespace App\Http;

use Psr\Http\Message\ServerRequestInterface;

/** A posted form: its trimmed fields and what is wrong with them. A refused field is returned too, to show it again. */
final class Form
{
    /** @var array<string, string> by field */
    private array $problems = [];

    /** @param string|null $token of the visitor who sent it; null: he has none yet */
    public function __construct(
        private readonly ServerRequestInterface $request,
        private readonly ?string $token = null,
    ) {}

    public function text(string $field, int $longest, bool $lines = false): string
    {
        $body = $this->request->getParsedBody();
        $value = \is_array($body) ? $body[$field] ?? null : null;
        $text = \is_string($value) ? trim(str_replace("\r\n", "\n", $value)) : '';
        // The feed is XML, where U+FFFE and U+FFFF are not allowed either.
        $controls = $lines ? '/[\x00-\x08\x0b-\x1f\x7f\x{fffe}\x{ffff}]/u' : '/[\x00-\x1f\x7f\x{fffe}\x{ffff}]/u';
        if (!mb_check_encoding($text, 'UTF-8') || preg_match($controls, $text) === 1) {
            $this->refuse($field, 'is not plain text' . ($lines ? '' : ' on one line'));

            return preg_replace($controls, ' ', mb_scrub($text, 'UTF-8')) ?? '';
        }
        if (preg_match('/[\p{L}\p{N}\p{P}\p{S}]/u', $text) !== 1) {
            $this->refuse($field, 'is empty');
        }
        if (mb_strlen($text) > $longest) {
            $this->refuse($field, \sprintf('has %d characters; %d are allowed', mb_strlen($text), $longest));
        }

        return $text;
    }

    public function refuse(string $field, string $why): void
    {
        $this->problems[$field] ??= $why;
    }

    /** @return array<string, string> */
    public function problems(): array
    {
        if (!$this->isOurs()) {
            $this->problems += ['form' => 'was sent from another site'];
        }

        return $this->problems;
    }

    /**
     * A form with the token of its visitor is ours. Pages without a private part are the same for everybody, so they
     * hold no token. Then a browser says where a form comes from. Without these headers the client is no browser, and
     * has no visitor's cookies to abuse.
     */
    private function isOurs(): bool
    {
        $body = $this->request->getParsedBody();
        $token = \is_array($body) ? $body['token'] ?? '' : '';
        if ($token !== '') {
            return \is_string($token) && $this->token !== null && hash_equals($this->token, $token);
        }
        $site = $this->request->getHeaderLine('Sec-Fetch-Site');
        if ($site !== '') {
            return \in_array($site, ['same-origin', 'none'], true);
        }
        // The PSR-7 factory may put its own header, made from the server's port, before the browser's.
        $hosts = $this->request->getHeader('Host');
        $host = strtolower($hosts[array_key_last($hosts) ?? 0] ?? '');
        foreach (['Origin', 'Referer'] as $header) {
            $from = $this->request->getHeaderLine($header);
            if ($from !== '') {
                return self::authority($from) === $host;
            }
        }

        return true;
    }

    /** @return string|null host and port as in the Host header; null: there are none, as in `Origin: null` */
    private static function authority(string $uri): ?string
    {
        return preg_match('~^https?://([^/?#@]+)(?:[/?#]|$)~Di', $uri, $matches) === 1 ? strtolower($matches[1]) : null;
    }
}
