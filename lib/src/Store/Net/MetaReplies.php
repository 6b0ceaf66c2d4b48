<?php

declare(strict_types=1);

namespace Larder\Store\Net;

/**
 * Reads the replies of a memcached server, from bytes in pieces of any size, until that to `mn`.
 *
 * @internal
 */
final class MetaReplies
{
    /** Bytes of a line. */
    private const LINE = 2048;

    private const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

    private string $bytes = '';

    private int $at = 0;

    /** @var list<MetaReply> */
    private array $replies = [];

    private bool $ended = false;

    private ?string $fault = null;

    /**
     * @param int  $longest     bytes of a value
     * @param bool $endsAtError an error is a fault, and not the reply to one of the commands
     */
    public function __construct(
        private readonly int $longest,
        private readonly bool $endsAtError = false,
    ) {}

    /** @return bool whether more is to come */
    public function take(string $bytes): bool
    {
        if ($this->at > 0) {
            $this->bytes = substr($this->bytes, $this->at);
            $this->at = 0;
        }
        // Most answers come whole, and need no copy.
        $this->bytes === '' ? $this->bytes = $bytes : $this->bytes .= $bytes;
        while (!$this->ended && $this->fault === null && $this->one());
        if ($this->ended && \strlen($this->bytes) > $this->at) {
            $this->fault = 'it said more than it was asked';
        }

        return !$this->ended && $this->fault === null;
    }

    /** @return string|null what came that is no reply */
    public function fault(): ?string
    {
        return $this->fault;
    }

    /** @return list<MetaReply> */
    public function all(): array
    {
        return $this->replies;
    }

    private function one(): bool
    {
        $end = strpos($this->bytes, "\r\n", $this->at);
        if ($end === false || $end - $this->at > self::LINE) {
            $this->fault = \strlen($this->bytes) - $this->at > self::LINE ? 'its reply is no line' : null;

            return false;
        }
        $words = explode(' ', substr($this->bytes, $this->at, $end - $this->at));
        $code = array_shift($words);
        $next = $end + 2;
        $value = '';
        if ($code === 'VA') {
            $length = array_shift($words) ?? '';
            $digits = strspn($length, '0123456789');
            if ($digits === 0 || $digits > 10 || $digits < \strlen($length) || (int) $length > $this->longest) {
                return $this->stop("its value has a length of \"$length\"");
            }
            if (\strlen($this->bytes) < $next + (int) $length + 2) {
                return false;
            }
            $value = substr($this->bytes, $next, (int) $length);
            $next += (int) $length;
            if (substr($this->bytes, $next, 2) !== "\r\n") {
                return $this->stop('its value is longer than it said');
            }
            $next += 2;
        }
        $this->at = $next;
        if ($code === 'MN') {
            $this->ended = true;

            return false;
        }
        if (!self::isCode($code)) {
            $shown = substr(addcslashes($code, "\0..\37\177..\377"), 0, 20);

            return $this->stop("its reply begins with \"$shown\"");
        }
        $reply = new MetaReply($code, $words, $value);
        if ($this->endsAtError && $reply->isError()) {
            return $this->stop($reply->line());
        }
        $this->replies[] = $reply;

        return true;
    }

    private static function isCode(string $code): bool
    {
        return match (strspn($code, self::LETTERS)) {
            2 => \strlen($code) === 2,
            default => preg_match('/^(?:ERROR|[A-Z]+_ERROR|STAT|END)$/D', $code) === 1,
        };
    }

    private function stop(string $fault): bool
    {
        $this->fault = $fault;

        return false;
    }
}
