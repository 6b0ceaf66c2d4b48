<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;
use LogicException;

/** One run of a program: the values of its options, and where it tells how far it is. */
final readonly class Run
{
    /**
     * @param array<string, int|string|bool|list<string>> $values by option
     * @param Closure(string): void                       $tell
     */
    public function __construct(
        private array $values,
        private Closure $tell,
    ) {}

    public function number(string $option): int
    {
        return \is_int($number = $this->values[$option] ?? null) ? $number : throw self::unknown($option);
    }

    public function text(string $option): string
    {
        return \is_string($text = $this->values[$option] ?? null) ? $text : throw self::unknown($option);
    }

    public function has(string $option): bool
    {
        return \is_bool($flag = $this->values[$option] ?? null) ? $flag : throw self::unknown($option);
    }

    /** @return list<string> */
    public function words(string $option): array
    {
        return \is_array($words = $this->values[$option] ?? null) ? $words : throw self::unknown($option);
    }

    /** @return string|null file; null: the one that tools/extension builds */
    public function extension(): ?string
    {
        $file = $this->values['extension'] ?? '';

        return \is_string($file) && $file !== '' ? $file : null;
    }

    public function seconds(): int
    {
        return $this->number('seconds');
    }

    public function seed(): int
    {
        return $this->number('seed');
    }

    public function hasSeed(): bool
    {
        return isset($this->values['seed']);
    }

    public function tell(string $line): void
    {
        ($this->tell)($line);
    }

    private static function unknown(string $option): LogicException
    {
        return new LogicException("The program has no option --$option of this type.");
    }
}
