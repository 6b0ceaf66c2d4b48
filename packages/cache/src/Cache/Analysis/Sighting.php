<?php

declare(strict_types=1);

namespace Larder\Cache\Analysis;

use Larder\Cache\Event;

/**
 * One line of an access log:
 *
 *     1795288289.781462 hit 10 0.0123 600 300 news%20list
 *
 * The fields are the Unix time, the event, of how many keys this one was chosen, what its compute took, ttl and grace
 * in seconds ("-": not known, or without end), and the key, URL-encoded.
 *
 * @internal
 */
final readonly class Sighting
{
    /** Bytes: a longer line is not read, and a longer key is cut. */
    public const LONGEST = 1024;
    private const LONGEST_KEY = 250;

    private const NUMBER = '\d{1,12}(?:\.\d{1,9})?';
    private const PATTERN = '~^(' . self::NUMBER . ') ([a-z]{3,10}) (\d{1,9}) (' . self::NUMBER . '|-) (' . self::NUMBER
        . '|-) (' . self::NUMBER . ') ([\x21-\x7e]+)$~D';

    /** Seconds; anything longer is without end. */
    private const ENDLESS = 1e11;

    public function __construct(
        public float $time,
        public Event $event,
        public int $oneIn,
        public ?float $cost,
        public ?float $ttl,
        public float $grace,
        public string $key,
    ) {}

    /** Null: the line is not of this form. */
    public static function parse(string $line): ?self
    {
        if (\strlen($line) > self::LONGEST || preg_match(self::PATTERN, $line, $parts) !== 1) {
            return null;
        }
        [, $time, $event, $oneIn, $cost, $ttl, $grace, $key] = $parts;
        $event = Event::tryFrom($event);

        return $event === null ? null : new self(
            (float) $time,
            $event,
            max(1, (int) $oneIn),
            $cost === '-' ? null : (float) $cost,
            $ttl === '-' ? null : (float) $ttl,
            (float) $grace,
            rawurldecode($key),
        );
    }

    public function line(): string
    {
        $key = (string) preg_replace_callback(
            '~[^\x21-\x24\x26-\x7e]~',
            static fn(array $byte): string => \sprintf('%%%02X', \ord($byte[0])),
            substr($this->key, 0, self::LONGEST_KEY),
        );

        return \sprintf(
            "%.6F %s %d %s %s %s %s\n",
            $this->time,
            $this->event->value,
            $this->oneIn,
            self::seconds($this->cost, 6),
            self::seconds($this->ttl, 3),
            self::seconds(min($this->grace, self::ENDLESS), 3),
            $key,
        );
    }

    private static function seconds(?float $seconds, int $digits): string
    {
        return $seconds === null || !($seconds <= self::ENDLESS)
            ? '-'
            : rtrim(rtrim(number_format(max(0.0, $seconds), $digits, '.', ''), '0'), '.');
    }
}
