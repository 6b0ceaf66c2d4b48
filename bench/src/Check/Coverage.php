<?php

declare(strict_types=1);

namespace Larder\Bench\Check;

/** How many replies of a window, or of a cell, were checked, and how. It is printed beside the figures. */
final readonly class Coverage
{
    /**
     * @param int    $replies that the subject gave within the measured time
     * @param int    $checked of these; 0 for a floor
     * @param string $how what the numbers do not say: "at one of 64 places in turn"; empty: each checked reply whole
     */
    public function __construct(
        public int $replies,
        public int $checked,
        public string $how = '',
    ) {}

    public static function every(int $replies, string $how = ''): self
    {
        return new self($replies, $replies, $how);
    }

    /** Replies of a floor are not checked. */
    public static function none(int $replies): self
    {
        return new self($replies, 0);
    }

    public function plus(self $other): self
    {
        return new self(
            $this->replies + $other->replies,
            $this->checked + $other->checked,
            $this->how === '' ? $other->how : $this->how,
        );
    }

    /** Whether "every reply is checked" may be written. */
    public function isEvery(): bool
    {
        return $this->checked >= $this->replies && $this->how === '';
    }

    /** "every reply", "none", "1 of 3,811 replies" */
    public function share(): string
    {
        return match (true) {
            $this->checked >= $this->replies => 'every reply',
            $this->checked === 0 => 'none',
            default => \sprintf(
                '1 of %s replies',
                number_format($this->replies / $this->checked, $this->replies < 10 * $this->checked ? 1 : 0),
            ),
        };
    }

    /** The share, and how: "1 of 3,811 replies, at one of 64 places in turn". */
    public function sentence(): string
    {
        return $this->checked === 0 || $this->how === '' ? $this->share() : $this->share() . ', ' . $this->how;
    }
}
