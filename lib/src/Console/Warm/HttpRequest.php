<?php

declare(strict_types=1);

namespace Larder\Console\Warm;

/**
 * One request that is under way.
 *
 * @internal part of HttpRequests
 */
final class HttpRequest
{
    /** Bytes of a head. */
    private const LONGEST = 65536;

    private string $head = '';

    /**
     * @param resource $stream   that does not block
     * @param string   $question what is not sent yet
     * @param int      $deadline hrtime
     */
    public function __construct(
        public readonly string $uri,
        public readonly mixed $stream,
        private string $question,
        public readonly int $deadline,
    ) {}

    public function isSent(): bool
    {
        return $this->question === '';
    }

    public function send(): void
    {
        $this->question = substr($this->question, (int) @fwrite($this->stream, $this->question));
    }

    /** @return Answer|null null: it is not whole. A page is whole, and stored, only at the end of the connection. */
    public function read(): ?Answer
    {
        $bytes = (string) @fread($this->stream, self::LONGEST);
        if (\strlen($this->head) < self::LONGEST) {
            $this->head .= $bytes;
        }
        if ($bytes !== '' || !feof($this->stream)) {
            return null;
        }
        $head = str_replace("\r", '', explode("\r\n\r\n", $this->head, 2)[0]);
        if (preg_match('~^HTTP/1\.[01] (\d{3})~', $head, $status) !== 1) {
            return $this->failed('the connection was closed without an answer');
        }
        $found = preg_match('/^cache-status:[ \t]*(.*)$/mi', $head, $cache) === 1;

        return Answer::of($this->uri, (int) $status[1], $found ? trim($cache[1]) : '');
    }

    public function failed(string $reason): Answer
    {
        return new Answer($this->uri, Outcome::Failed, 0, $reason);
    }
}
