<?php

declare(strict_types=1);

namespace Larder\Bench\Check;

use Larder\Bench\Exception\WrongReply;
use Larder\Testbed\Value\SealedBytes;
use Larder\Testbed\Value\WrongValue;

/** Compares replies with what they must be. For a floor it does the same work, but accepts every reply. */
final readonly class Verifier
{
    private string $own;

    public function __construct(
        private SealedBytes $seal,
        private bool $strict,
    ) {
        $this->own = $strict ? '' : $seal->value('floor', 0, 400);
    }

    /** @param bool $checked false for a floor: Definition::isChecked() */
    public static function of(bool $checked, SealedBytes $seal = new SealedBytes()): self
    {
        return new self($seal, $checked);
    }

    public function value(string $key, ?string $got, int $oldest = 0, int $newest = PHP_INT_MAX): void
    {
        if ($this->strict) {
            try {
                $this->seal->check($key, $got, $oldest, $newest);
            } catch (WrongValue $wrong) {
                throw new WrongReply($wrong->getMessage());
            }
        } else {
            $this->seal->check('floor', $this->own);
        }
    }

    public function counter(string $key, int $got, int $expected): void
    {
        if ($got !== $expected && $this->strict) {
            throw new WrongReply(\sprintf('%s: the counter is %d and must be %d', $key, $got, $expected));
        }
    }

    public function text(string $key, ?string $got, string $expected): void
    {
        if ($got !== $expected && $this->strict) {
            throw new WrongReply(
                \sprintf(
                    '%s: %s, where it had to be "%s"',
                    $key,
                    $got === null ? 'nothing' : '"' . $got . '"',
                    $expected,
                ),
            );
        }
    }

    public function that(bool $holds, string $message): void
    {
        if (!$holds && $this->strict) {
            throw new WrongReply($message);
        }
    }
}
